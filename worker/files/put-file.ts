// Writes the bytes of an upload to R2 as they come.
import { FILE_PART_BYTES } from "../../protocol/files/limits.ts";
import type { BodyPieces } from "./body-pieces.ts";
import { inBucket } from "./bucket.ts";
import { fieldError } from "../http-error.ts";
import { putInSlices } from "../../runtime/put-in-slices.ts";

interface Upload {
  readonly key: string;
  /** Bytes of the body that were read already. */
  readonly head: Uint8Array;
  readonly pieces: BodyPieces;
  /** `Content-Length`, if the request has one. */
  readonly length: number | null;
  readonly media_type: string;
}

/** @returns the etag of the object. @throws HttpError when the sender, its length or R2 fails; nothing is readable then. */
export function putFile(bucket: R2Bucket, upload: Upload): Promise<string> {
  const { length } = upload;
  return length === null ? putParts(bucket, upload) : putStream(bucket, { ...upload, length });
}

/** R2 takes a stream only when its length is known. */
async function putStream(
  bucket: R2Bucket,
  { key, head, pieces, length, media_type }: Upload & { readonly length: number },
): Promise<string> {
  const { readable, writable } = new FixedLengthStream(length);
  const put = inBucket(() => bucket.put(key, readable, metadataOf(media_type)));
  // Handled below, also when the sender fails first.
  put.catch(() => undefined);
  const writer = writable.getWriter();
  try {
    await write(writer, head, put);
    for (let piece = await pieces.next(); piece; piece = await pieces.next()) {
      if (pieces.bytes > length) throw wrongLength();
      await write(writer, piece, put);
    }
    if (pieces.bytes !== length) throw wrongLength();
    await Promise.race([writer.close(), put]);
  } catch (error) {
    await writer.abort(error).catch(() => undefined);
    throw error;
  }
  return (await put).etag;
}

/** When R2 has failed, it reads no more of the stream and the write never resolves: the failure of `put` ends it. */
async function write(
  writer: WritableStreamDefaultWriter<Uint8Array>,
  bytes: Uint8Array,
  put: Promise<unknown>,
): Promise<void> {
  await Promise.race([writer.write(bytes), put.then(() => undefined)]);
}

/** Holds one part in memory. A multipart upload that a crash leaves open is ended by R2 itself after a week. */
async function putParts(
  bucket: R2Bucket,
  { key, head, pieces, media_type }: Upload,
): Promise<string> {
  const first = await fillPart(head, pieces);
  if (first.byteLength < FILE_PART_BYTES) {
    const put = (value: Uint8Array | ReadableStream) =>
      bucket.put(key, value, metadataOf(media_type));
    return (await inBucket(() => putInSlices(first, put))).etag;
  }
  const upload = await inBucket(() => bucket.createMultipartUpload(key, metadataOf(media_type)));
  try {
    const parts: R2UploadedPart[] = [];
    for (let part = first; part.byteLength > 0; part = await fillPart(new Uint8Array(0), pieces)) {
      const bytes = part;
      const put = (value: Uint8Array | ReadableStream) =>
        upload.uploadPart(parts.length + 1, value);
      parts.push(await inBucket(() => putInSlices(bytes, put)));
      if (bytes.byteLength < FILE_PART_BYTES) break;
    }
    return (await inBucket(() => upload.complete(parts))).etag;
  } catch (error) {
    await upload.abort().catch(() => undefined);
    throw error;
  }
}

async function fillPart(head: Uint8Array, pieces: BodyPieces): Promise<Uint8Array> {
  const rest = await pieces.readHead(FILE_PART_BYTES - head.byteLength);
  if (head.byteLength === 0) return rest;
  const part = new Uint8Array(head.byteLength + rest.byteLength);
  part.set(head);
  part.set(rest, head.byteLength);
  return part;
}

function metadataOf(contentType: string): R2PutOptions & R2MultipartOptions {
  return { httpMetadata: { contentType } };
}

function wrongLength() {
  return fieldError("validation_failed", "#", "the body is not as long as `Content-Length` says");
}
