import { decodeBase64 } from "../protocol/base64.ts";
import { LARGE_VALUE_CHARACTERS } from "../protocol/limits/requests.ts";
import { Base64Reader } from "./base64-reader.ts";
import { timeSlice } from "./time-slice.ts";

/**
 * The bytes of base64 text; null when it is none. Large text that is not canonical is decoded in time slices: 7 MB of it
 * would hold up all sessions of the isolate for 60 ms, and a canonical one for 4.
 */
export async function decodeInSlices(text: string): Promise<Uint8Array | null> {
  if (text.length <= LARGE_VALUE_CHARACTERS) return decodeBase64(text);
  const canonical = decodeCanonical(text);
  if (canonical) return canonical;
  const reader = new Base64Reader(text.length);
  for (let start = 0; start < text.length; start += LARGE_VALUE_CHARACTERS) {
    // oxlint-disable-next-line no-await-in-loop
    if (start > 0) await timeSlice();
    reader.add(text.slice(start, start + LARGE_VALUE_CHARACTERS));
  }
  return reader.finish();
}

/** The runtime's own decoder, whose type comes with a newer library. */
const { fromBase64 } = Uint8Array as unknown as {
  readonly fromBase64: (text: string, options: { lastChunkHandling: "strict" }) => Uint8Array;
};

function decodeCanonical(text: string): Uint8Array | null {
  try {
    return fromBase64(text, { lastChunkHandling: "strict" });
  } catch {
    return null;
  }
}
