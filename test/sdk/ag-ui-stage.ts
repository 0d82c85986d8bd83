// A platform that plays scenes for an agent of AG-UI, and what that agent saw of them.
import type { BaseEvent } from "@ag-ui/client";
import { RepriseAgent, type RepriseAgentOptions } from "@reprise/sdk/ag-ui";
import { afterEach, beforeEach, expect, vi } from "vitest";

import { QUICK } from "./desk.ts";
import { startStage, stream, type Scene } from "./stage.ts";

/** Every event that the agent applied, in order. */
export function eventsOf(agent: RepriseAgent): BaseEvent[] {
  const events: BaseEvent[] = [];
  agent.subscribe({ onEvent: ({ event }) => void events.push(event) });
  return events;
}

/** @param scenes One for each request, the last one again and again. */
export async function startAgent(
  scenes: readonly Scene[],
  options: Partial<RepriseAgentOptions> = {},
) {
  const { requests, url } = await startStage(scenes);
  const agent = new RepriseAgent({
    apiKey: "rk_test_x",
    baseUrl: url,
    agentId: "agt_1",
    threadId: "shop 1",
    reconnect: QUICK,
    ...options,
  });
  return { agent, requests, events: eventsOf(agent) };
}

/** One frame; the type of its event is named once. */
export function agUiFrame(id: string, type: string, more: object = {}): string {
  return `id: ${id}\nevent: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`;
}

const RUN = { threadId: "shop 1", runId: "run-1" };

/** A run that says "Hello". */
export const HELLO = [
  agUiFrame("4.1", "RUN_STARTED", RUN),
  agUiFrame("6.1", "TEXT_MESSAGE_START", { messageId: "b1", role: "assistant" }),
  agUiFrame("7.1", "TEXT_MESSAGE_CONTENT", { messageId: "b1", delta: "Hel" }),
  agUiFrame("8.1", "TEXT_MESSAGE_CONTENT", { messageId: "b1", delta: "lo" }),
  agUiFrame("9.1", "TEXT_MESSAGE_END", { messageId: "b1" }),
  agUiFrame("10.1", "RUN_FINISHED", { ...RUN, outcome: { type: "success" } }),
] as const;

export const HELLO_MESSAGE = { id: "b1", role: "assistant", content: "Hello" };

/** Some of {@link HELLO}, and then the connection is lost. */
export function helloUntil(end: number): Scene {
  return stream(HELLO.slice(0, end).join(""), { isCut: true });
}

export function helloFrom(start: number): Scene {
  return stream(HELLO.slice(start).join(""));
}

/** Frames up to "Hel", in the middle of a run that also thinks and calls a tool. */
export const PRELUDE = [
  agUiFrame("7.2", "RUN_STARTED", RUN),
  agUiFrame("7.2", "STATE_SNAPSHOT", { snapshot: { cart: 1 } }),
  agUiFrame("7.2", "MESSAGES_SNAPSHOT", {
    messages: [
      { id: "m1", role: "user", content: "Hi" },
      { id: "t1", role: "reasoning", content: "Hm" },
      {
        id: "b1",
        role: "assistant",
        content: "Hel",
        toolCalls: [{ id: "c1", type: "function", function: { name: "look", arguments: '{"a"' } }],
      },
    ],
  }),
  agUiFrame("7.2", "STEP_STARTED", { stepName: "model_call:1" }),
  agUiFrame("7.2", "REASONING_START", { messageId: "t1" }),
  agUiFrame("7.2", "REASONING_MESSAGE_START", { messageId: "t1", role: "reasoning" }),
  agUiFrame("7.2", "TEXT_MESSAGE_START", { messageId: "b1", role: "assistant" }),
  agUiFrame("7.2", "TOOL_CALL_START", {
    toolCallId: "c1",
    toolCallName: "look",
    parentMessageId: "b1",
  }),
];

export const REST = [
  agUiFrame("8.1", "REASONING_MESSAGE_CONTENT", { messageId: "t1", delta: "m." }),
  agUiFrame("9.1", "REASONING_MESSAGE_END", { messageId: "t1" }),
  agUiFrame("9.2", "REASONING_END", { messageId: "t1" }),
  agUiFrame("10.1", "TEXT_MESSAGE_CONTENT", { messageId: "b1", delta: "lo" }),
  agUiFrame("11.1", "TEXT_MESSAGE_END", { messageId: "b1" }),
  agUiFrame("12.1", "TOOL_CALL_ARGS", { toolCallId: "c1", delta: ":1}" }),
  agUiFrame("13.1", "TOOL_CALL_END", { toolCallId: "c1" }),
  agUiFrame("14.1", "STEP_FINISHED", { stepName: "model_call:1" }),
  agUiFrame("15.1", "RUN_FINISHED", { ...RUN, outcome: { type: "success" } }),
];

export const JOINED = [
  { id: "m1", role: "user", content: "Hi" },
  { id: "t1", role: "reasoning", content: "Hmm." },
  {
    id: "b1",
    role: "assistant",
    content: "Hello",
    toolCalls: [{ id: "c1", type: "function", function: { name: "look", arguments: '{"a":1}' } }],
  },
];

/** Tests fail on a warning of the protocol's client. What it says of failures that are meant is kept from the log. */
export function expectNoWarnings(): void {
  const warn = vi.spyOn(console, "warn");
  const error = vi.spyOn(console, "error");
  beforeEach(() => {
    warn.mockReset();
    error.mockReset().mockReturnValue(undefined);
  });
  afterEach(() => expect(warn.mock.calls).toEqual([]));
}
