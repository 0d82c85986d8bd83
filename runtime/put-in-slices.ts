import { BUCKET_SLICE_BYTES } from "../protocol/files/limits.ts";
import { timeSlice } from "./time-slice.ts";

/** A bucket's function for bytes that it may hold as a whole, or a stream of known length. */
type PutBytes<Stored> = (content: Uint8Array | ReadableStream) => Promise<Stored>;

/**
 * Gives `bytes` to a bucket in time slices: they are hashed and copied on their way out, and several megabytes in one
 * go would hold up all sessions of the isolate.
 * @param put Begins the operation of R2. @throws what it throws.
 */
export async function putInSlices<Stored>(
  bytes: Uint8Array,
  put: PutBytes<Stored>,
): Promise<Stored> {
  if (bytes.byteLength <= BUCKET_SLICE_BYTES) return put(bytes);
  const { readable, writable } = new FixedLengthStream(bytes.byteLength);
  const stored = put(readable);
  // A bucket that has failed reads no more, and a write would never resolve: its failure ends the loop.
  const failed = stored.then(() => undefined);
  failed.catch(() => undefined);
  const writer = writable.getWriter();
  try {
    for (let start = 0; start < bytes.byteLength; start += BUCKET_SLICE_BYTES) {
      await timeSlice();
      const slice = bytes.subarray(start, start + BUCKET_SLICE_BYTES);
      await Promise.race([writer.write(slice), failed]);
    }
    await Promise.race([writer.close(), failed]);
  } catch (error) {
    await writer.abort(error).catch(() => undefined);
    throw error;
  }
  return stored;
}
