// JSON is counted as the provider of the conversation counts it.
import { describe, expect, it } from "vitest";

import { ContextMeter } from "../../../agent/context/context-meter.ts";
import { CONTEXT_FOLD } from "../../../agent/context/context-fold.ts";
import type { CountedRequest } from "../../../agent/context/count-tokens.ts";
import { kindsOfRequest } from "../../../agent/context/token-kinds.ts";
import { AssistantMsg, UserMsg } from "../../../protocol/messages/constructors.ts";
import type { ContentBlock } from "../../../protocol/messages/blocks.ts";

const ROW = { order_id: "7f3e19a4-51", total: 1249.5, items: [1, 2, 3], paid: true };

function look(turn: number, rows: number): readonly ContentBlock[] {
  const id = `c${turn}`;
  const output = JSON.stringify(Array.from({ length: rows }, () => ROW));
  return [
    { type: "tool_call", id, name: "look", input: "{}", state: "finished" },
    { type: "tool_result", id, name: "look", output, state: "success" },
  ] as unknown as readonly ContentBlock[];
}

const QUESTION = UserMsg("user", "Tell me about my orders. ".repeat(200), { id: "u" });

function requestWith(content: readonly ContentBlock[]): CountedRequest {
  const reply = AssistantMsg("agent", content as never, { id: "rep" });
  return { system_prompt: "Be kind. ".repeat(100), messages: [QUESTION, reply], tools: [] };
}

/** A provider that counts JSON as 2.5 bytes a token, and adds 300 tokens to each request. */
function countedBy(request: CountedRequest): number {
  const { prose, json, media } = kindsOfRequest(request);
  return Math.round(300 + prose + media + json * 1.6);
}

describe("JSON in a context", () => {
  it("is estimated as the provider has counted it before in the same reply", () => {
    const state = CONTEXT_FOLD.initial;
    const meter = new ContextMeter({ state: () => state });
    const errors: number[] = [];
    let content: readonly ContentBlock[] = [];
    for (let turn = 0; turn < 4; turn += 1) {
      const request = requestWith(content);
      const tokens = countedBy(request);
      errors.push(Math.round((meter.count(request, "provider") / tokens - 1) * 100));
      content = [...content, ...look(turn, 120)];
      const { message } = { message: requestWith(content).messages[1] as never };
      const last_call = { block_id: `c${turn}`, tokens: tokens + 10, input_tokens: tokens };
      meter.note({ last_call, message }, { request, state });
    }

    // The first is an estimate. The second has JSON of which nothing is known yet; those after it are right.
    expect(errors[1]).toBeLessThan(-15);
    for (const error of errors.slice(2)) expect(Math.abs(error)).toBeLessThan(5);
  });

  it.each([
    ["a report of nothing like it", 40_000],
    ["a report of 1", 1],
  ])("is not thrown off beyond its bounds by %s", (_what, reported) => {
    const state = CONTEXT_FOLD.initial;
    const meter = new ContextMeter({ state: () => state });
    const before = requestWith(look(0, 120));
    const message = before.messages[1] as never;
    const last_call = { block_id: "c0", tokens: reported, input_tokens: reported };
    meter.note({ last_call, message }, { request: before, state });
    const request = requestWith([...look(0, 120), ...look(1, 120)]);

    const { prose, json } = kindsOfRequest(request);
    const estimate = prose + json;
    const count = meter.count(request, "provider");
    expect(count).toBeLessThanOrEqual(4 * (estimate + 1));
    expect(count).toBeGreaterThanOrEqual(Math.floor(estimate / 4) - 1);
  });
});
