// The options of one model call.
import { describe, expect, it } from "vitest";

import { callOptions } from "../../../agent/loop/call-options.ts";
import { startReplyState } from "../../../agent/state/reply-state.ts";
import type { ReplyModelOptions } from "../../../protocol/models/model-options.ts";
import { AgentEventSchema } from "../../../protocol/events.ts";
import type { ContentBlock } from "../../../protocol/messages/blocks.ts";
import { functionTools } from "../../support/function-tools.ts";

const { tools } = functionTools({ look_up: { run: () => "found" } });
const CALL = { type: "tool_call", id: "c1", name: "look_up", input: "{}" } as ContentBlock;

/** The state of a reply as its log says it, as after a crash. */
function stateOf(model_options: unknown, content: readonly ContentBlock[] = []) {
  const start = AgentEventSchema.parse({
    type: "REPLY_START",
    session_id: "ses_1",
    reply_id: "rep_1",
    name: "Agent",
    role: "assistant",
    metadata: model_options === undefined ? {} : { model_options },
  });
  if (start.type !== "REPLY_START") throw new Error("not a start");
  const state = startReplyState(start);
  return { ...state, message: { ...state.message, content: [...content] } };
}

describe("the options of a model call", () => {
  it("are those of the log, without the model's name", () => {
    const options: ReplyModelOptions = {
      model: "other",
      parameters: { max_tokens: 7 },
      parallel_tool_calls: false,
      reasoning_effort: "low",
      tool_choice: "auto",
    };
    const { model: _model, ...rest } = options;

    expect(stateOf(options).model_options).toEqual(options);
    expect(callOptions(stateOf(options), tools)).toEqual(rest);
    expect(callOptions(stateOf(undefined), tools)).toBeUndefined();
    expect(callOptions(stateOf({ parameters: { temperature: "hot" } }), tools)).toBeUndefined();
  });

  it.each([
    ["required", {}],
    [{ name: "look_up" }, {}],
    ["none", { tool_choice: "none" }],
    ["auto", { tool_choice: "auto" }],
  ] as const)("have %j until a call was made, and then %j", (tool_choice, after) => {
    expect(callOptions(stateOf({ tool_choice }), tools)).toEqual({ tool_choice });
    expect(callOptions(stateOf({ tool_choice }, [CALL]), tools)).toEqual(after);
  });

  it("ask for no tool that is not offered", () => {
    expect(callOptions(stateOf({ tool_choice: { name: "gone" } }), tools)).toEqual({});
  });
});
