// Bytes go to R2 piece by piece: what arrives is the same, and a bucket that fails ends it.
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";

import { BUCKET_SLICE_BYTES } from "../../../protocol/files/limits.ts";
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
