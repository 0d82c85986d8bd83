// Long tool results: the part that a model is sent, and its way to read the rest.
import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { contextAbility } from "../../../agent/context/context-ability.ts";
import { cutToolResult, textOfResult } from "../../../agent/context/cut-tool-result.ts";
import { CONTEXT_FOLD } from "../../../agent/context/context-fold.ts";
import { readResultText } from "../../../agent/context/read-tool-result.ts";
import { startReplyState } from "../../../agent/state/reply-state.ts";
import type { TextOrDataBlock, ToolResultBlock } from "../../../protocol/messages/blocks.ts";
import { AssistantMsg } from "../../../protocol/messages/constructors.ts";
import { utf8Bytes } from "../../../protocol/utf8-bytes.ts";

const LIFETIME = { created_at: "2026-01-01T00:00:00Z", finished_at: null };

function result(output: ToolResultBlock["output"]): ToolResultBlock {
  return {
    type: "tool_result",
    id: "call_1",
    name: "read",
    output,
    state: "success",
    metadata: {},
    ...LIFETIME,
  };
}

function text(value: string, id = "b1"): TextOrDataBlock {
  return { type: "text", text: value, id, ...LIFETIME };
}

const PICTURE: TextOrDataBlock = {
  type: "data",
  id: "b2",
  source: { type: "base64", data: "AAAA", media_type: "image/png" },
  name: null,
  ...LIFETIME,
};

function isCut(whole: ToolResultBlock, limit: number): boolean {
  return cutToolResult(whole, limit) !== whole;
}

/** The part of a text that the model is sent, without the note. */
function shownOf(value: string, limit: number): string {
  return textOfResult(cutToolResult(result(value), limit)).replace(/\n<<<TRUNCATED>>>.*$/s, "");
}

describe("a long tool result", () => {
  it("is the same object when it fits exactly, and is cut one byte beyond", () => {
    const fits = result("x".repeat(400));
    const longer = result(`${"x".repeat(400)}y`);

    expect(cutToolResult(fits, 100)).toBe(fits);
    expect(isCut(fits, 100)).toBe(false);
    expect(isCut(longer, 100)).toBe(true);
    expect(cutToolResult(longer, 100).output).toBe(
      `${"x".repeat(400)}\n<<<TRUNCATED>>> These are the first 400 of 401 characters. ` +
        'Call read_tool_result with {"tool_call_id":"call_1","offset":400} for the next ones, or with "search" to find a text.',
    );
  });

  it("counts bytes of UTF-8, and keeps no half of a character", () => {
    expect(isCut(result("ö".repeat(200)), 100)).toBe(false);
    expect(isCut(result("ö".repeat(201)), 100)).toBe(true);
    expect(shownOf("👋".repeat(101), 100)).toBe("👋".repeat(100));
    expect(shownOf(`a${"👋".repeat(100)}`, 100)).toBe(`a${"👋".repeat(99)}`);
  });

  it("keeps blocks, media and their order up to the cut, and the media after it", () => {
    const whole = result([text("x".repeat(300)), PICTURE, text("y".repeat(300), "b3")]);
    const { output } = cutToolResult(whole, 100);

    expect(output).toMatchObject([
      { type: "text", id: "b1", text: "x".repeat(300) },
      PICTURE,
      { type: "text", id: "b3", text: "y".repeat(99) },
      { type: "text", id: "call_1:cut", text: expect.stringContaining("first 400 of 601") },
    ]);
    expect(cutToolResult(whole, 100)).toEqual(cutToolResult(whole, 100));
  });

  it("never shows more than its limit, and shows a beginning", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme", maxLength: 300 }),
        fc.integer({ min: 1, max: 50 }),
        (value, limit) => {
          const shown = shownOf(value, limit);
          expect(utf8Bytes(shown)).toBeLessThanOrEqual(limit * 4);
          expect(value.startsWith(shown)).toBe(true);
          expect(utf8Bytes(value) > limit * 4).toBe(isCut(result(value), limit));
        },
      ),
    );
  });
});

describe("what a large result costs", () => {
  it("is paid once in a reply, however many model calls and tool calls follow", () => {
    let reads = 0;
    const counted = (id: string, value: string): ToolResultBlock => ({
      ...result([
        {
          ...text(""),
          get text() {
            reads += 1;
            return value;
          },
        },
      ]),
      id,
    });
    const history = [
      {
        ...AssistantMsg("agent", ""),
        content: [counted("short", "x".repeat(3_000)), counted("long", "y".repeat(5_000))],
      },
    ];
    const ability = contextAbility(
      { tool_result_limit: 1_000 },
      { history: () => history, state: () => CONTEXT_FOLD.initial, size: 128_000 },
    );
    const reply = startReplyState({
      type: "REPLY_START",
      id: "evt_1",
      created_at: "2026-01-01T00:00:00Z",
      metadata: {},
      session_id: "ses_1",
      reply_id: "rep_1",
      name: "agent",
      role: "assistant",
    });
    const offered = () => (ability.tools?.kind === "internal" ? ability.tools.declare(reply) : []);
    const sent = ability.changeContext?.(history);
    expect(offered().map(({ name }) => name)).toEqual(["read_tool_result"]);
    const paid = reads;

    for (let call = 0; call < 128; call += 1) offered();
    expect(ability.changeContext?.(history)).toEqual(sent);

    expect(paid).toBeGreaterThan(0);
    expect(reads).toBe(paid);
  });
});

describe("reading the rest", () => {
  const input = { tool_call_id: "call_1" };
  const whole = textOfResult(result([text("one"), PICTURE, text("two 👋 three")]));

  it("gives a range with its position and where it continues", () => {
    expect(readResultText(whole, { ...input, offset: 2, length: 4 }, 100)).toBe(
      "Characters 2 to 6 of 16. More from offset 6 on.\ne\ntw",
    );
    expect(readResultText(whole, { ...input, offset: 10 }, 100)).toBe(
      `Characters 10 to 16 of 16.\n${whole.slice(10)}`,
    );
    expect(readResultText(whole, { ...input, offset: 16 }, 100)).toBe(
      "The result has 16 characters.",
    );
  });

  it("splits no character, and the pieces are the whole", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme", minLength: 1, maxLength: 60 }),
        fc.integer({ min: 2, max: 9 }),
        (value, length) => {
          let read = "";
          for (let offset = 0; offset < value.length;) {
            const [head = "", ...lines] = readResultText(
              value,
              { ...input, offset, length },
              1_000,
            ).split("\n");
            const piece = lines.join("\n");
            expect(piece.length).toBeGreaterThan(0);
            expect(piece.isWellFormed()).toBe(true);
            read += piece;
            offset = Number(/to (\d+) of/.exec(head)?.[1]);
          }
          expect(read).toBe(value);
        },
      ),
    );
  });

  it("finds the places of a text with what is around them, and says where to continue", () => {
    const places = `${"-".repeat(300)}needle${"-".repeat(300)}needle`;
    const around = JSON.stringify(`${"-".repeat(100)}needle${"-".repeat(100)}`);

    expect(readResultText(places, { ...input, search: "needle" }, 1_000)).toBe(
      `2 places in characters 0 to 612.\n300: ${around}\n606: ${JSON.stringify(`${"-".repeat(100)}needle`)}`,
    );
    expect(readResultText(places, { ...input, search: "needle" }, 300)).toBe(
      `1 place in characters 0 to 606. Search again from offset 606 for more.\n300: ${around}`,
    );
    expect(readResultText(places, { ...input, search: "Needle" }, 1_000)).toBe(
      "No place in characters 0 to 612.",
    );
  });

  it("comes past a character of two halves when one half is asked for", () => {
    expect(readResultText("👋x", { ...input, length: 1 }, 100)).toBe(
      "Characters 0 to 2 of 3. More from offset 2 on.\n👋",
    );
    expect(readResultText("👋x", { ...input, offset: 1, length: 1 }, 100)).toBe(
      "Characters 0 to 2 of 3. More from offset 2 on.\n👋",
    );
  });

  it("comes past a place that has no room, which would be found for ever", () => {
    const places = `${"\u0001".repeat(300)}needle${"\u0001".repeat(300)}`;

    expect(readResultText(places, { ...input, search: "needle" }, 1_000)).toBe(
      '1 place in characters 0 to 606.\n300: "needle"',
    );
  });

  it("finds a text across the end of what one search reads", () => {
    const long = `${"x".repeat(999_998)}needle${"x".repeat(10)}`;
    const first = readResultText(long, { ...input, search: "needle" }, 1_000);
    const next = Number(/from offset (\d+)/.exec(first)?.[1]);

    expect(first).toBe(
      "No place in characters 0 to 999995. Search again from offset 999995 for more.",
    );
    expect(readResultText(long, { ...input, offset: next, search: "needle" }, 1_000)).toContain(
      "999998: ",
    );
  });
});
