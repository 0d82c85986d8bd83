// Bytes go to R2 piece by piece, and base64 is read so: what arrives is the same, and a bucket that fails ends it.
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";

import { decodeBase64 } from "../../../protocol/base64.ts";
import { Base64Reader } from "../../../runtime/base64-reader.ts";
import { BUCKET_SLICE_BYTES } from "../../../protocol/limits/files.ts";
import { LARGE_VALUE_CHARACTERS } from "../../../protocol/limits/requests.ts";
import { decodeInSlices } from "../../../runtime/decode-in-slices.ts";
import { putInSlices } from "../../../runtime/put-in-slices.ts";

const BYTES = Uint8Array.from({ length: 2 * BUCKET_SLICE_BYTES + 7 }, (_, index) => index % 251);

describe("bytes that are put in slices", () => {
  it.each([1, BUCKET_SLICE_BYTES, BUCKET_SLICE_BYTES + 1, BYTES.length])(
    "are the %i that were given",
    async (length) => {
      const bytes = BYTES.subarray(0, length);
      const put = await putInSlices(bytes, (content) => env.FILES.put("slices", content));
      const stored = await env.FILES.get("slices");

      expect(stored?.etag).toBe(put?.etag ?? "none");
      expect(new Uint8Array((await stored?.arrayBuffer()) ?? new ArrayBuffer(0))).toEqual(bytes);
    },
  );

  it("are given up when the bucket fails before it reads, and when it fails in between", async () => {
    const failure = new Error("the bucket is down");
    const atOnce = putInSlices(BYTES, () => Promise.reject(failure));
    const between = putInSlices(BYTES, async (content) => {
      await (content as ReadableStream).getReader().read();
      throw failure;
    });

    await expect(atOnce).rejects.toThrow(failure);
    await expect(between).rejects.toThrow(failure);
  });
});

describe("base64 that is decoded in slices", () => {
  const TEXT = "iVBOR w0K*".repeat(LARGE_VALUE_CHARACTERS / 5);

  it.each([
    ["canonical", "iVBO".repeat(LARGE_VALUE_CHARACTERS)],
    ["of other characters, too", TEXT],
    ["padded in the middle", `${TEXT}YQ==${TEXT}`],
    ["cut within a quantum", `${TEXT}Y`],
    ["none", "****"],
  ])("is what it is as a whole when it is %s", async (_, text) => {
    expect(await decodeInSlices(text)).toEqual(decodeBase64(text));
  });

  it("does not depend on where it is cut", () => {
    const text = "Y-W_J*jYQ=YW\nJjYWI=YWJj";
    const whole = decodeBase64(text);
    for (let at = 0; at <= text.length; at += 1) {
      const reader = new Base64Reader(text.length);
      reader.add(text.slice(0, at));
      reader.add(text.slice(at));
      expect(reader.finish()).toEqual(whole);
    }
  });
});
