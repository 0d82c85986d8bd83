// Parallel calls of which one asks a person, and whose machine was lost before the others had begun.
import { describe, expect, it } from "vitest";

import type { LoggedEvent } from "../../../protocol/events.ts";
import { functionTools, type FunctionTool } from "../../support/function-tools.ts";
import { MemoryLog } from "../../support/memory-log.ts";
import { runScript } from "../../support/run-script.ts";

const ASK_PAY = {
  mode: "default" as const,
  rules: [{ tool_name: "pay", rule_content: null, behavior: "ask" as const, source: "test" }],
  working_directories: [],
};

function tools(ran: string[], look: Partial<FunctionTool> = {}) {
  const tool = (name: string, fields: Partial<FunctionTool> = {}): FunctionTool => ({
    concurrency_safe: true,
    run: () => {
      ran.push(name);
      return "seen";
    },
    ...fields,
  });
  return functionTools({ pay: tool("pay"), look: tool("look", look) });
}

/** The reply up to and with its first question, as if nothing beside it had been written. */
async function lostAfterQuestion(script: string, look: Partial<FunctionTool> = {}) {
  const log = await runScript({ script, tools: tools([], look), permission: ASK_PAY });
  const question = log.events.findIndex(({ type }) => type === "REQUIRE_USER_CONFIRM");
  const events = log.events
    .slice(0, question + 1)
    .filter(({ type }: LoggedEvent) => !type.startsWith("TOOL_RESULT"));
  return MemoryLog.reopen({ events });
}

async function resume(log: MemoryLog, script: string, look: Partial<FunctionTool> = {}) {
  const ran: string[] = [];
  await runScript({ script, tools: tools(ran, look), permission: ASK_PAY, log, isRestart: true });
  return {
    ran,
    states: log.state.message.content.flatMap((block) =>
      block.type === "tool_call" ? [[block.name, block.state]] : [],
    ),
    parked: log.parked,
  };
}

describe("after a restart, a call beside one that asks", () => {
  it("runs when it was not started yet, and the reply waits for the answer alone", async () => {
    const script = "/call pay {}\n/call look {}\n/say Done.";
    const log = await lostAfterQuestion(script);

    expect(await resume(log, script)).toEqual({
      ran: ["look"],
      states: [
        ["pay", "asking"],
        ["look", "finished"],
      ],
      parked: "awaiting_permission",
    });
  });

  it("goes on waiting when the question's rules would settle it", async () => {
    const script = "/call pay {}\n/call pay {}\n/say Done.";
    const log = await runScript({ script, tools: tools([]), permission: ASK_PAY });
    const before = log.events.length;

    const { ran, parked } = await resume(log, script);

    expect({ ran, parked, events: log.events.length }).toEqual({
      ran: [],
      parked: "awaiting_permission",
      events: before,
    });
  });

  it("goes on waiting when tools like it run in order", async () => {
    const script = "/call pay {}\n/call look {}\n/say Done.";
    const inOrder = { concurrency_safe: false };
    const log = await lostAfterQuestion(script, inOrder);

    expect(await resume(log, script, inOrder)).toMatchObject({
      ran: [],
      states: [
        ["pay", "asking"],
        ["look", "pending"],
      ],
    });
  });
});
