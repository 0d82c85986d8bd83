// A call of an idempotent tool that had begun when its machine was lost: it runs again, as what it is now.
import { describe, expect, it } from "vitest";

import type { ToolRunner } from "../../../agent/ports.ts";
import { startedCallIds } from "../../../agent/state/started-call-ids.ts";
import { functionTools, type FunctionTool } from "../../support/function-tools.ts";
import { MemoryLog } from "../../support/memory-log.ts";
import { runScript } from "../../support/run-script.ts";

const SCRIPT = '/call look {"a":1}\n/say Done.';

function tools(ran: unknown[], look: Partial<FunctionTool> = {}) {
  return functionTools({
    other: { run: () => "other" },
    look: {
      idempotent: true,
      run: (input, { tool_call_id }) => {
        ran.push([tool_call_id, input]);
        return "seen";
      },
      ...look,
    },
  });
}

/** The reply up to and with the start of its call's result. */
async function lostInCall(): Promise<MemoryLog> {
  const { events } = await runScript({ script: SCRIPT, tools: tools([]) });
  const start = events.findIndex(({ type }) => type === "TOOL_RESULT_START");
  return MemoryLog.reopen({ events: events.slice(0, start + 1) });
}

async function resume(log: MemoryLog, given: ReturnType<typeof tools>) {
  const before = log.events.length;
  await runScript({ script: SCRIPT, tools: given, log, isRestart: true });
  const [result] = log.state.message.content.filter((block) => block.type === "tool_result");
  const types = log.events.slice(before).map(({ type }) => type);
  return {
    state: result?.state,
    output: Array.isArray(result?.output)
      ? result.output.map((part) => (part.type === "text" ? part.text : part.type)).join("")
      : result?.output,
    starts: types.filter((type) => type === "TOOL_RESULT_START").length,
    finished_reason: log.state.message.finished_reason,
  };
}

describe("a call that had begun", () => {
  it("gives its hints once, also when it runs again", async () => {
    const given = tools([]);
    const told: ToolRunner = {
      ...given,
      async *run(request, ...rest) {
        yield { type: "told", events: [{ type: "HINT_BLOCK", hint: "The door is open." }] };
        yield* given.run(request, ...rest);
      },
    };
    const { events } = await runScript({ script: SCRIPT, tools: told });
    const hint = events.findIndex(({ type }) => type === "HINT_BLOCK");
    const log = MemoryLog.reopen({ events: events.slice(0, hint + 1) });

    await resume(log, told);

    expect(log.state.message.content.filter(({ type }) => type === "hint")).toHaveLength(1);
  });

  it("runs again under its own id, with the start that it has", async () => {
    const ran: unknown[] = [];
    const log = await lostInCall();
    const [id] = startedCallIds(log.state);

    expect(await resume(log, tools(ran))).toEqual({
      state: "success",
      output: "seen",
      starts: 0,
      finished_reason: "completed",
    });
    expect(ran).toEqual([[id, { a: 1 }]]);
  });

  it("fails when its tool is not there any more", async () => {
    const log = await lostInCall();

    expect(await resume(log, functionTools({ other: { run: () => "other" } }))).toEqual({
      state: "error",
      output: "There is no tool named look any more.",
      starts: 0,
      finished_reason: "completed",
    });
  });

  it("fails without a run when its tool takes another input now", async () => {
    const ran: unknown[] = [];
    const log = await lostInCall();
    const input_schema = { type: "object", properties: { a: { type: "string" } } };

    expect(await resume(log, tools(ran, { input_schema }))).toEqual({
      state: "error",
      output: expect.stringContaining("look"),
      starts: 0,
      finished_reason: "completed",
    });
    expect(ran).toEqual([]);
  });

  it("had begun also when a person had let it through", async () => {
    const log = await lostInCall();
    const content = log.state.message.content.map((block) =>
      block.type === "tool_call" ? { ...block, state: "allowed" as const } : block,
    );
    const state = { ...log.state, message: { ...log.state.message, content } };

    expect(startedCallIds(state)).toEqual(startedCallIds(log.state));
    expect(startedCallIds(log.state).size).toBe(1);
  });
});
