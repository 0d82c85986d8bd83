import { describe, expect, test } from "vitest";

import { ReplyCreateSchema } from "../../../protocol/replies/contract.ts";
import { normalizeReplyBody } from "../../../worker/requests/normalize-input.ts";

function accepted(input: unknown) {
  const result = ReplyCreateSchema.safeParse(normalizeReplyBody({ input }));
  return result.success ? result.data.input : result.error.issues;
}
const picture = { type: "url", url: "https://shop.example/shoe.jpg", media_type: "image/jpeg" };

describe("input in other documents' names", () => {
  test("an image block of the first documents is a data block", () => {
    const block = { type: "image", source: { type: "url", url: picture.url } };

    const data = expect.objectContaining({ type: "data", source: picture });
    expect([
      accepted([block]),
      accepted({ role: "user", content: [block] }),
      accepted([{ role: "user", content: [block] }]),
    ]).toEqual([
      [data],
      expect.objectContaining({ role: "user", content: [data] }),
      [expect.objectContaining({ role: "user", content: [data] })],
    ]);
  });

  test("a Java message is a message", () => {
    const message = {
      id: "m1",
      role: "USER",
      content: [{ type: "text", text: "hi" }],
      timestamp: "2026-01-31 12:00:00.000",
    };

    expect(accepted(message)).toEqual(
      expect.objectContaining({ id: "m1", role: "user", created_at: "2026-01-31T12:00:00.000" }),
    );
  });

  test("a stored message may be sent back as it is", () => {
    const stored = {
      name: "user",
      content: [
        {
          type: "text",
          text: "hi",
          id: "b1",
          created_at: "2026-01-31T12:00:00.000Z",
          finished_at: null,
        },
      ],
      role: "user",
      id: "m1",
      metadata: {},
      created_at: "2026-01-31T12:00:00.000Z",
      usage: null,
      finished_at: null,
      finished_reason: null,
      structured_output: null,
      error: null,
    };

    expect(accepted(stored)).toEqual(stored);
  });

  test("what is no object passes unchanged, for the schema to judge", () => {
    expect(
      [null, 5, "text", [], { input: "hi" }, { input: [1, null, "a"] }].map(normalizeReplyBody),
    ).toEqual([null, 5, "text", [], { input: "hi" }, { input: [1, null, "a"] }]);
  });
});
