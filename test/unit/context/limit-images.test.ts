// Images that a model is sent.
import { describe, expect, it } from "vitest";

import { limitImages } from "../../../agent/context/limit-images.ts";
import type { ContentBlock, DataBlock } from "../../../protocol/messages/blocks.ts";
import type { Msg } from "../../../protocol/messages/messages.ts";
import { AssistantMsg, UserMsg } from "../../../protocol/messages/constructors.ts";

const AT = { created_at: "2026-01-01T00:00:00Z", finished_at: null };

function media(id: string, media_type = "image/png", name: string | null = null): DataBlock {
  return { type: "data", id, source: { type: "base64", data: "AAAA", media_type }, name, ...AT };
}

function note(id: string, named = ""): object {
  return { type: "text", id, text: `[An older image of type image/png${named} is left out here]` };
}

function hintNote(id: string): object {
  return { type: "hint", id, source: null };
}

function user(...content: ContentBlock[]): Msg {
  return UserMsg({ name: "user", content });
}

describe("images beyond the limit", () => {
  it("leave the oldest out, wherever they are, and keep all other media", () => {
    const messages = [
      user(media("old", "image/png", 'a "cat"'), media("pdf", "application/pdf")),
      AssistantMsg({
        name: "desk",
        content: [
          media("made"),
          {
            type: "tool_result",
            id: "call",
            name: "look",
            output: [media("seen")],
            state: "success",
            metadata: {},
            ...AT,
          },
          { type: "hint", id: "hint", hint: [media("told")], source: null, ...AT },
        ],
      }),
      user(media("new")),
    ];

    expect(limitImages(messages, 1)).toMatchObject([
      { content: [note("old", ' named "a \\"cat\\""'), { id: "pdf", type: "data" }] },
      {
        content: [
          { type: "hint", id: "made", hint: expect.stringContaining("is left out here") },
          { type: "tool_result", output: [note("seen")] },
          { type: "hint", id: "hint", hint: [note("told")] },
        ],
      },
      { content: [media("new")] },
    ]);
    expect(limitImages(messages, 3)).toMatchObject([
      { content: [note("old", ' named "a \\"cat\\""'), { id: "pdf" }] },
      { content: [hintNote("made"), { output: [media("seen")] }, { hint: [media("told")] }] },
      { content: [media("new")] },
    ]);
  });

  it("none are left out when they fit, and the messages are the same", () => {
    const messages = [user(media("one"), media("two")), user(media("PDF", "application/pdf"))];

    expect(limitImages(messages, 2)).toBe(messages);
    expect(limitImages(messages, 0)).toMatchObject([
      { content: [note("one"), note("two")] },
      { content: [{ type: "data", id: "PDF" }] },
    ]);
  });
});
