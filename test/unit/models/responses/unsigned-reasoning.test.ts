// Reasoning that compatible servers of the Responses API show as text, and want back before each call.
import { describe, expect, it, onTestFinished } from "vitest";

import { createOpenAiModel } from "../../../../model/openai/openai-model.ts";
import { startFakeResponses } from "../../../support/fake-responses.ts";
import { functionTools } from "../../../support/function-tools.ts";
import { runScript } from "../../../support/run-script.ts";
import { outgoing } from "../anthropic/stage.ts";
import { call, completed, done, message, type Event } from "./stage.ts";

type Item = Event & { readonly type?: string; readonly content?: unknown };

const THOUGHT = { type: "reasoning", id: "rs_1", summary: [], content: [text("I look.")] };

function text(words: string): Event {
  return { type: "reasoning_text", text: words };
}

/** Whether each call has reasoning with a text before it, and the text where it is asked for. */
function areThought(input: readonly Item[], isEach: boolean): boolean {
  return input.every((item, index) => {
    if (item.type !== "function_call") return true;
    const before = input[index - 1];
    if (before?.type === "function_call" && !isEach) return true;
    return before?.type === "reasoning" && Array.isArray(before.content);
  });
}

async function reply(
  refusal: string | null,
  { isEach = true, turn = [THOUGHT] as readonly Event[], definition = {} } = {},
) {
  const inputs: (readonly Item[])[] = [];
  const server = await startFakeResponses((stream, { body }) => {
    const { input } = body as { input: readonly Item[] };
    inputs.push(input);
    if (refusal !== null && !areThought(input, isEach)) {
      stream.refuse(400, { error: { message: refusal, type: "invalid_request_error" } });
      return;
    }
    const isAnswered = input.some(({ type }) => type === "function_call_output");
    const calls = [call("1", { arguments: "{}" }), call("2", { arguments: "{}" })];
    const items = isAnswered ? [message("Done.")] : [...turn, ...calls];
    const events = [
      ...items.map((item, output_index) => done(item, { output_index })),
      completed({ output: items }),
    ];
    for (const { type, ...members } of events) stream.event(String(type), members);
    stream.end();
  });
  onTestFinished(() => server.stop());
  const model = createOpenAiModel({
    definition: {
      provider: "openai",
      api: "responses",
      name: "m",
      base_url: server.baseUrl,
      parameters: {},
      ...definition,
    },
    outgoing,
  });
  const tools = functionTools({ look_up: { run: () => "found" } });
  const log = await runScript({ script: "Look it up.", tools, models: [model] });
  return {
    reason: log.state.message.finished_reason,
    kinds: inputs.map((input) => input.map(({ type }) => type ?? "message")),
    last: inputs.at(-1) ?? [],
  };
}

describe("reasoning that a Responses server shows as text", () => {
  const CALLS = ["function_call", "function_call", "function_call_output", "function_call_output"];

  it("goes back before the first call, where a refusal asks for it (maximhq/bifrost#3802)", async () => {
    const message = "reasoning_content is missing in assistant tool call message at index 1";
    const { reason, kinds, last } = await reply(message, { isEach: false });

    expect(reason).toBe("completed");
    expect(kinds).toEqual([["message"], ["message", ...CALLS], ["message", "reasoning", ...CALLS]]);
    expect(last[1]).toEqual({ ...THOUGHT, id: expect.stringMatching(/^rs_/) });
  });

  it("goes back before each call, where it is still asked for (rikkahub/rikkahub#1690)", async () => {
    const message = "The `reasoning_text` in the thinking mode must be passed back to the API.";
    const { reason, kinds, last } = await reply(message);

    expect(reason).toBe("completed");
    expect(kinds).toHaveLength(4);
    expect(kinds.at(-1)?.slice(0, 5)).toEqual([
      "message",
      "reasoning",
      "function_call",
      "reasoning",
      "function_call",
    ]);
    expect(last[3]?.content).toEqual([text("I look.")]);
  });

  it("has a space in its place, where the turn has none", async () => {
    const message = "The `reasoning_text` in the thinking mode must be passed back to the API.";
    const { reason, last } = await reply(message, { turn: [] });

    expect(reason).toBe("completed");
    expect(last[1]?.content).toEqual([text(" ")]);
  });

  it("goes back without a refusal, as the setting says, and else not at all", async () => {
    const definition = { send_reasoning: "tool_loop" };
    const [sent, left] = [await reply(null, { definition }), await reply(null)];

    expect(sent.kinds.at(-1)).toEqual(["message", "reasoning", ...CALLS]);
    expect(left.kinds.at(-1)).toEqual(["message", ...CALLS]);
  });
});
