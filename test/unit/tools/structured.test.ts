// Sequences H29 to H32 of the reference: replies that fill a schema in.
import { describe, expect, it } from "vitest";

import { STRUCTURED_OUTPUT_ABILITY } from "../../../agent/tools/structured-output-ability.ts";
import { modelContext } from "../../../agent/loop/model-context.ts";
import { nextStep } from "../../../agent/loop/next-step.ts";
import type { Model, ModelChunk, ModelRequest } from "../../../agent/ports.ts";
import { foldEvents } from "../../../protocol/fold/append-event.ts";
import { UserMsg } from "../../../protocol/messages/constructors.ts";
import { functionTools } from "../../support/function-tools.ts";
import { MemoryLog } from "../../support/memory-log.ts";
import { failure, playedModel } from "../../support/played-model.ts";
import { runScript, type ScriptRun } from "../../support/run-script.ts";

const ROUND = ["HINT_BLOCK", "MODEL_CALL_START"];
const CALL = ["TOOL_CALL_START", "TOOL_CALL_DELTA", "TOOL_CALL_END", "MODEL_CALL_END"];
const TEXT = ["TEXT_BLOCK_START", "TEXT_BLOCK_DELTA", "TEXT_BLOCK_END", "MODEL_CALL_END"];
const RESULT = ["TOOL_RESULT_START", "TOOL_RESULT_TEXT_DELTA", "TOOL_RESULT_END"];

const ORDER = {
  type: "object",
  properties: {
    order_id: { type: "string" },
    refund: { type: "boolean", default: false },
  },
  required: ["order_id"],
  additionalProperties: false,
};
const lookup = { run: () => "found" };
const refund = { read_only: false, run: () => "refunded" };

function logWith(structured_schema: unknown = ORDER): MemoryLog {
  return new MemoryLog("rep_1", { structured_schema });
}

function run(script: string, options: Partial<ScriptRun> = {}): Promise<MemoryLog> {
  return runScript({ script, log: logWith(), ...options });
}

function resultsOf({ state }: MemoryLog): readonly unknown[] {
  return state.message.content.flatMap((block) =>
    block.type === "tool_result"
      ? [[block.state, typeof block.output === "string" ? "" : textOf(block.output[0])]]
      : [],
  );
}

function textOf(block: object | undefined): string {
  return block && "text" in block ? String(block.text) : "";
}

/** Remembers what it was asked. */
function listening(...calls: readonly (readonly ModelChunk[])[]): {
  model: Model;
  requests: ModelRequest[];
} {
  const requests: ModelRequest[] = [];
  const played = playedModel("m", ...calls);
  return {
    requests,
    model: {
      name: "m",
      stream(request, stop) {
        requests.push(request);
        return played.stream(request, stop);
      },
    },
  };
}

describe("structured output", () => {
  it("H29: a valid call ends the reply, and its value is the message's", async () => {
    const log = await run('/structured {"order_id":"A-1001","refund":true}\n/say Not reached');

    const types = ["REPLY_START", ...ROUND, ...CALL, ...RESULT, "CUSTOM", "REPLY_END"];
    expect(log.types).toEqual(types);
    expect(log.state.message).toMatchObject({
      structured_output: { order_id: "A-1001", refund: true },
      finished_reason: "completed",
      error: null,
    });
    expect(log.state.message.content[0]).toMatchObject({
      type: "hint",
      source: "structured_output",
    });
    expect(resultsOf(log)).toEqual([["success", "The structured output is complete."]]);
  });

  it("offers the schema as one more tool, which is never sent outside", async () => {
    const sent: string[] = [];
    const tools = functionTools({ lookup: { run: () => String(sent.push("lookup")) } });
    const { model, requests } = listening(
      [{ tool_calls: [{ index: 0, id: "c1", name: "lookup", delta: "{}" }] }],
      [
        {
          tool_calls: [
            { index: 0, id: "c2", name: "GenerateStructuredOutput", delta: '{"order_id":"A-1"}' },
          ],
        },
      ],
    );
    await run("hi", {
      tools,
      models: [model],
      permission: {
        mode: "dont_ask",
        rules: [
          {
            tool_name: "GenerateStructuredOutput",
            rule_content: null,
            behavior: "deny",
            source: "agent",
          },
        ],
        working_directories: [],
      },
    });

    expect(requests.map((request) => request.tools.map((tool) => tool.name))).toEqual([
      ["lookup", "GenerateStructuredOutput"],
      ["lookup", "GenerateStructuredOutput"],
    ]);
    expect(requests[0]?.tools[1]?.input_schema).toEqual(ORDER);
    expect(requests.map((request) => request.tool_choice)).toEqual([undefined, undefined]);
    expect(sent).toEqual(["lookup"]);
  });

  it("goes on after text until the tool is called, with a hint before each round", async () => {
    const log = await run('/say Let me see.\n/then\n/structured {"order_id":"A-1001"}');

    expect(log.types).toEqual([
      "REPLY_START",
      ...ROUND,
      ...TEXT,
      ...ROUND,
      ...CALL,
      ...RESULT,
      "CUSTOM",
      "REPLY_END",
    ]);
    expect(log.state.iterations).toBe(2);
  });

  it("H30: tells the model of an invalid call, and takes the next one", async () => {
    const log = await run('/structured {"refund":5}\n/then\n/structured {"order_id":"A-1001"}');

    const round = [...ROUND, ...CALL, ...RESULT];
    expect(log.types).toEqual(["REPLY_START", ...round, ...round, "CUSTOM", "REPLY_END"]);
    const [first, second] = resultsOf(log) as [string, string][];
    expect(first?.[0]).toBe("error");
    expect(first?.[1]).toContain("order_id");
    expect(first?.[1]).toContain("#/refund");
    expect(second).toEqual(["success", "The structured output is complete."]);
    expect(log.state.message.structured_output).toEqual({ order_id: "A-1001", refund: false });
  });

  it("leaves a member out that no message can hold", async () => {
    const log = await run('/structured {"__proto__":{"a":1},"order_id":"A-1001"}');

    const output = log.state.message.structured_output;
    expect(JSON.stringify(output)).toBe('{"order_id":"A-1001","refund":false}');
  });

  it("H31: makes the model call the tool at max_iters, and ends after five more rounds", async () => {
    const { model, requests } = listening([{ text: "I would rather talk." }]);
    const log = await run("hi", { models: [model], max_iters: 2 });

    const forced = "GenerateStructuredOutput";
    expect(requests.map((request) => request.tool_choice)).toEqual([
      undefined,
      undefined,
      ...Array<string>(5).fill(forced),
    ]);
    expect(log.types.slice(-3)).toEqual(["MODEL_CALL_END", "EXCEED_MAX_ITERS", "REPLY_END"]);
    expect(log.state.message).toMatchObject({
      finished_reason: "exceed_max_iters",
      structured_output: null,
    });
  });

  it("takes a value that comes in one of those rounds", async () => {
    const { model } = listening(
      [{ text: "Talk." }],
      [{ text: "More talk." }],
      [
        {
          tool_calls: [
            { index: 0, id: "c1", name: "GenerateStructuredOutput", delta: '{"order_id":"A-1"}' },
          ],
        },
      ],
    );
    const log = await run("hi", { models: [model], max_iters: 1 });

    expect(log.state.message).toMatchObject({
      finished_reason: "completed",
      structured_output: { order_id: "A-1", refund: false },
    });
  });

  it("H32: the schema survives a park and the loss of all memory, and fills its defaults in", async () => {
    const tools = functionTools({ refund });
    const script = '/call refund {}\n/structured {"order_id":"A-1001"}';
    const parked = await run(script, { tools });
    expect(parked.parked).toBe("awaiting_permission");

    const log = MemoryLog.reopen(parked);
    const call = log.state.message.content.find((block) => block.type === "tool_call")!;
    log.append([
      {
        type: "USER_CONFIRM_RESULT",
        reply_id: "rep_1",
        confirm_results: [{ confirmed: true, tool_call: call, rules: null }],
      },
    ]);
    await runScript({ script, tools, log });

    expect(log.state.message).toMatchObject({
      finished_reason: "completed",
      structured_output: { order_id: "A-1001", refund: false },
    });
    expect(JSON.stringify(foldEvents(log.events))).toBe(JSON.stringify(log.state.message));
  });

  it("waits for the calls beside it before the reply ends", async () => {
    const tools = functionTools({ lookup, refund });
    const log = await run('/structured {"order_id":"A-1"}\n/call refund {}\n/call lookup {}', {
      tools,
    });

    expect(log.parked).toBe("awaiting_permission");
    expect(log.state.message).toMatchObject({
      finished_reason: null,
      structured_output: { order_id: "A-1", refund: false },
    });
    expect(resultsOf(log).map((result) => (result as string[])[0])).toEqual(["success"]);
  });

  it("does not repeat the hint when a fallback model takes the call over", async () => {
    const { model, requests } = listening([
      {
        tool_calls: [
          { index: 0, id: "c1", name: "GenerateStructuredOutput", delta: '{"order_id":"A-1"}' },
        ],
      },
    ]);
    const log = await run("hi", {
      models: [playedModel("broken", failure("authentication")), model],
    });

    expect(log.events.filter((event) => event.type === "HINT_BLOCK")).toHaveLength(1);
    expect(requests[0]?.messages.at(-1)?.content.map((block) => block.type)).toEqual(["hint"]);
  });

  it("keeps the hints of an earlier reply from the model, and its calls in sight", async () => {
    const { state } = await run('/structured {"order_id":"A-1001"}');
    const context = modelContext([state.message], UserMsg("user", "And now?"), [
      STRUCTURED_OUTPUT_ABILITY,
    ]);

    expect(context.map((message) => message.content.map((block) => block.type))).toEqual([
      ["tool_call", "tool_result"],
      ["text"],
    ]);
  });

  it("has no such tool in a reply that is not asked for it", async () => {
    const log = await runScript({ script: '/structured {"order_id":"A-1"}\n/say Done' });

    expect(resultsOf(log)).toEqual([
      ["error", "There is no tool named GenerateStructuredOutput. Tools: none."],
    ]);
    expect(log.state.message).toMatchObject({
      structured_output: null,
      finished_reason: "completed",
    });
  });

  it("is decided from the log alone", () => {
    const { state } = logWith();
    const required = STRUCTURED_OUTPUT_ABILITY.requiredTool?.(state);
    const settings = { max_iters: 3, tools: [], requiredTools: required ? [required] : [] };

    expect(nextStep(state, settings)).toEqual({ type: "call_model" });
    expect(nextStep({ ...state, iterations: 3 }, settings)).toEqual({
      type: "call_model",
      tool_choice: "GenerateStructuredOutput",
    });
  });
});
