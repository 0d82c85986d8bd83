// Conversations from elsewhere, made whole.
import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { settleCalls } from "../../../agent/answers/settle-calls.ts";
import type { ContentBlockInput } from "../../../protocol/messages/blocks.ts";
import { AssistantMsg } from "../../../protocol/messages/constructors.ts";
import type { Msg } from "../../../protocol/messages/messages.ts";

const AT = "2026-01-01T00:00:00.000Z";

function message(id: string, content: readonly ContentBlockInput[]): Msg {
  return AssistantMsg("Agent", content, { id, created_at: AT });
}

function call(id: string, state: "asking" | "finished" = "finished"): ContentBlockInput {
  return { type: "tool_call", id, name: "lookup", input: "{}", state, finished_at: AT };
}

function result(id: string, state: "success" | "running" = "success"): ContentBlockInput {
  return { type: "tool_result", id, name: "lookup", output: "found", state, finished_at: AT };
}

function settled(messages: readonly Msg[]): readonly Msg[] {
  const outcome = settleCalls(messages);
  if ("orphan" in outcome) throw new Error("a result has no call");
  return outcome.messages;
}

function shapeOf(messages: readonly Msg[]) {
  return messages.map(({ id, content }) => [
    id,
    content.map((block) =>
      block.type === "tool_call" || block.type === "tool_result"
        ? `${block.type} ${block.id} ${block.state}`
        : block.type,
    ),
  ]);
}

describe("settleCalls", () => {
  it("leaves what is whole as it is", () => {
    const messages = [message("a", [call("c1"), call("c2"), result("c2"), result("c1")])];

    expect(settled(messages)).toEqual(messages);
  });

  it("moves results of later messages to their calls and drops what held nothing else", () => {
    const messages = [
      message("a", [call("c1", "asking")]),
      message("b", [result("c1")]),
      message("c", []),
    ];

    expect(shapeOf(settled(messages))).toEqual([
      ["a", ["tool_call c1 finished", "tool_result c1 success"]],
      ["c", []],
    ]);
  });

  it("closes calls without a result, and results that were under way", () => {
    const messages = [message("a", [call("c1", "asking"), call("c2"), result("c2", "running")])];

    expect(shapeOf(settled(messages))).toEqual([
      [
        "a",
        [
          "tool_call c1 finished",
          "tool_result c1 interrupted",
          "tool_call c2 finished",
          "tool_result c2 interrupted",
        ],
      ],
    ]);
  });

  it("says where a result stands that has no call before it", () => {
    expect(
      settleCalls([message("a", [call("c1"), result("c1")]), message("b", [result("c2")])]),
    ).toEqual({ orphan: { message: 1, block: 0 } });
  });

  it("gives every call exactly one place before its result, and settles once", () => {
    const ids = ["c1", "c2", "c3", "c4"];
    fc.assert(
      fc.property(fc.subarray(ids), fc.array(fc.nat(3), { maxLength: 4 }), (answered, cuts) => {
        const blocks = [
          ...ids.map((id) => call(id, "asking")),
          ...answered.map((id) => result(id)),
        ];
        const at = [0, ...cuts.map((cut) => cut + 4), blocks.length].sort((a, b) => a - b);
        const messages = at
          .slice(1)
          .map((end, index) => message(`m${index}`, blocks.slice(at[index], end)));

        const once = settled(messages);

        const content = once.flatMap((item) => item.content);
        for (const id of ids) {
          const places = content.flatMap((block, index) =>
            "id" in block && block.id === id ? [[index, block.type]] : [],
          );
          expect(places.map(([, type]) => type)).toEqual(["tool_call", "tool_result"]);
        }
        expect(settled(once)).toEqual(once);
      }),
    );
  });
});
