// Claims that hold for every reply that has ended, however it ended: its events, and the conversation that it leaves.
import { expect } from "vitest";

import { modelContext } from "../../../agent/loop/model-context.ts";
import type { SessionInit } from "../../../durable-objects/api/session-api.ts";
import { toOpenAiMessages } from "../../../model/openai/to-openai-messages.ts";
import type { LoggedEvent } from "../../../protocol/events.ts";
import { listMessages, valueOf } from "./session.ts";

const PAIRS = ["TEXT_BLOCK", "THINKING_BLOCK", "TOOL_CALL", "TOOL_RESULT", "MODEL_CALL"];

/** Exactly one terminal event, the last; whatever began has ended once; every call has a result. */
export function expectWellFormed(events: readonly LoggedEvent[]): void {
  const types = events.map(({ type }) => type);
  const count = (type: string) => types.filter((one) => one === type).length;
  expect([count("REPLY_START"), count("REPLY_END"), types.at(-1)]).toEqual([1, 1, "REPLY_END"]);
  expect(PAIRS.map((kind) => [kind, count(`${kind}_START`)])).toEqual(
    PAIRS.map((kind) => [kind, count(`${kind}_END`)]),
  );
  expect(count("TOOL_RESULT_START")).toBe(count("TOOL_CALL_START"));
}

/** The next turn's request is one that providers accept: each call's JSON whole, and its result. */
export async function expectAcceptableContext(init: SessionInit): Promise<void> {
  const { data } = valueOf(await listMessages(init, { limit: 100 }));
  const last = data.at(-1);
  if (!last) throw new Error("the conversation is empty");
  const messages = toOpenAiMessages({
    system_prompt: "",
    messages: modelContext(data.slice(0, -1), last, []),
  });
  const calls = messages.flatMap((message) =>
    message.role === "assistant" ? (message.tool_calls ?? []) : [],
  );
  const results = messages.flatMap((m) => (m.role === "tool" ? [m.tool_call_id] : []));
  expect(results).toEqual(calls.map(({ id }) => id));
  for (const call of calls) {
    if (call.type !== "function") throw new Error("a call of a custom tool");
    expect(JSON.parse(call.function.arguments)).toBeTypeOf("object");
  }
}
