/** @module-tag broad */
// A conversation of 500 replies with tools in a small window: every request fits, is well-formed, and begins as the one
// before it.
import { describe, expect, it } from "vitest";

import type { Model, ModelChunk, ModelRequest } from "../../../agent/ports.ts";
import { countRequest } from "../../../agent/context/count-tokens.ts";
import { UserMsg } from "../../../protocol/messages/constructors.ts";
import type { Msg } from "../../../protocol/messages/messages.ts";
import { functionTools } from "../../support/function-tools.ts";
import { keepContext } from "../../support/kept-context.ts";
import { runScript } from "../../support/run-script.ts";

const REPLIES = 500;
const WINDOW = 8_000;
const HARD = WINDOW * 0.9;

/** Calls two tools at once, then one, then answers; writes a summary when it is asked to. */
function worker(hear: (request: ModelRequest) => void): Model {
  return {
    name: "worker",
    async *stream(request): AsyncGenerator<ModelChunk, void> {
      hear(request);
      const last = request.messages.at(-1)!;
      const asked = last.content.map((block) => (block.type === "text" ? block.text : "")).join("");
      if (asked.includes("JSON Schema")) {
        const fields = [
          "task_overview",
          "current_state",
          "important_discoveries",
          "next_steps",
          "context_to_preserve",
        ].map((name) => [name, `${name} of ${request.messages.length} messages`]);
        yield { text: JSON.stringify(Object.fromEntries(fields)) };
        return;
      }
      const results = last.content.filter(({ type }) => type === "tool_result").length;
      const call = (index: number) => ({ index, name: "look", delta: `{"n":${index}}` });
      if (results === 0) yield { tool_calls: [call(0), call(1)] };
      else if (results === 2) yield { text: "One more.", tool_calls: [call(0)] };
      else yield { text: `Done. ${"z".repeat(200)}` };
    },
  };
}

const shared = (one: string, other: string): number => {
  const length = Math.min(one.length, other.length);
  let index = 0;
  while (index < length && one.charCodeAt(index) === other.charCodeAt(index)) index += 1;
  return index;
};

describe(`a conversation of ${REPLIES} replies with tools`, () => {
  it("fits into the window at every model call, and no call is without its result", async () => {
    const requests: ModelRequest[] = [];
    const model = worker((request) => requests.push(request));
    const session = keepContext({ settings: {}, window: WINDOW, model });
    const history: Msg[] = [];
    const tools = functionTools({
      look: { run: ({ n }: { n: number }) => `${n} ${"r".repeat(n === 0 ? 900 : 300)}` },
    });
    let sent = 0;
    let stable = 0;
    let before = "";
    let opening: string | undefined;
    let summaries = 0;

    for (let reply = 0; reply < REPLIES; reply += 1) {
      const text = `Question ${reply}`;
      const first = requests.length;
      const kept = session.next(`rep_${reply}`, [...history]);
      const log = await runScript({
        script: text,
        history: [...history],
        log: kept.log,
        models: [model],
        abilities: [kept.ability],
        context: kept.keeper,
        tools,
        system_prompt: "Be brief.",
        runtime: { time_zone: "Europe/Berlin", nowMs: () => 1_700_000_000_000 + reply * 60_000 },
        permission: { mode: "bypass", rules: [], working_directories: [] },
      });
      expect(log.state.message.finished_reason).toBe("completed");
      summaries += kept.requests.length;
      for (const request of requests.slice(first)) {
        const { total } = countRequest(request, "estimate");
        const isSummary = request.messages.at(-1)?.id === "compression";
        expect(total).toBeLessThan(isSummary ? WINDOW : HARD);
        const blocks = request.messages.flatMap(({ content }) => content);
        const ids = (type: string) => blocks.filter((one) => one.type === type).map(({ id }) => id);
        expect(ids("tool_result")).toEqual(ids("tool_call"));
        const bytes = JSON.stringify(request.messages.flatMap(({ content }) => content));
        if (isSummary) continue;
        // A compression makes a new beginning.
        const isNewBeginning = request.messages[0]?.id !== opening;
        opening = request.messages[0]?.id;
        if (!isNewBeginning) {
          sent += before.length;
          stable += shared(before, bytes);
        }
        before = bytes;
      }
      history.push(UserMsg("user", text, { id: `msg_${reply}` }), log.state.message);
    }

    expect(history.length).toBe(2 * REPLIES);
    expect(summaries).toBeGreaterThan(REPLIES / 40);
    expect(summaries).toBeLessThan(REPLIES / 5);
    expect(stable / sent).toBeGreaterThanOrEqual(0.95);
  });
});
