// The user's words, which a summary of the reply to them keeps.
import { describe, expect, it } from "vitest";

import { compressContext } from "../../../agent/context/compress-context.ts";
import { CONTEXT_FOLD, type ContextState } from "../../../agent/context/context-fold.ts";
import { contextView } from "../../../agent/context/context-view.ts";
import { AssistantMsg, UserMsg } from "../../../protocol/messages/constructors.ts";
import type { Msg } from "../../../protocol/messages/messages.ts";
import { contextOf, FIELDS, modelOf, requestOf, said } from "../../support/compression.ts";

const turn = (id: string, size: number) => [
  { type: "tool_call" as const, id, name: "look", input: "{}" },
  {
    type: "tool_result" as const,
    id,
    name: "look",
    output: "r".repeat(size),
    state: "success" as const,
  },
];

async function requestAfter(messages: readonly Msg[], state: ContextState) {
  const outcome = await compressContext(
    requestOf({ messages: contextView(messages, state), state, reply_id: "rep", tokens: 3_000 }),
    contextOf(modelOf(() => said(JSON.stringify(FIELDS)))),
  );
  if (outcome.type !== "compressed") throw new Error(outcome.type);
  return outcome.value;
}

describe("the user's words", () => {
  const reply = AssistantMsg("agent", [...turn("a", 4_000), ...turn("b", 4_000), ...turn("c", 9)], {
    id: "rep",
  });
  const summary = { id: "sum_0", text: "Before.", created_at: "2026-01-01T00:00:00.000Z" };

  it("that left the context with their message alone are repeated when the reply to them is cut", async () => {
    const state: ContextState = {
      ...CONTEXT_FOLD.initial,
      summary,
      boundary: { message_id: "u", block_id: null },
      request: "Find the lamp.",
    };
    const value = await requestAfter(
      [UserMsg("user", "Find the lamp.", { id: "u" }), reply],
      state,
    );

    expect([value.last_message_id, value.request]).toEqual(["rep", "Find the lamp."]);
  });

  it("of an earlier message are not taken for those of a newer one without text", async () => {
    const state: ContextState = {
      ...CONTEXT_FOLD.initial,
      summary,
      boundary: { message_id: "old", block_id: "t" },
      request: "Find the lamp.",
    };
    const source = {
      type: "url" as const,
      url: "https://a.example/b.png",
      media_type: "image/png",
    };
    const photo = UserMsg("user", [{ type: "data", id: "d", name: null, source }], { id: "u" });
    const value = await requestAfter([photo, reply], state);

    expect([value.last_message_id, value.request]).toEqual(["rep", undefined]);
  });
});
