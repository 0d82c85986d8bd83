// Agents that a session has called, folded from the caller's log for the card of a call.
import { expect, test } from "vitest";

import {
  calledBy,
  NO_STORIES,
  tellCalled,
} from "../../../console/components/called/called-fold.ts";
import { calledOf } from "../../../console/components/called/called-of.ts";
import type { LoggedEvent } from "../../../sdk/index.ts";

const base = { id: "e", metadata: {}, created_at: "2026-11-21T09:30:00.000Z" };

function batch(events: readonly object[], more: object = {}): LoggedEvent {
  const value = {
    reply_id: "rep_1",
    tool_call_id: "call_1",
    session_id: "ses_2",
    agent_id: "agt_2",
    agent_name: "Order desk",
    parent_session_id: "ses_1",
    events,
    ...more,
  };
  return { ...base, seq: 1, type: "CUSTOM", name: "subagent_event", value } as LoggedEvent;
}

const START = {
  ...base,
  seq: 1,
  type: "REPLY_START",
  session_id: "ses_2",
  reply_id: "rep_2",
  name: "Order desk",
  role: "assistant",
};
const word = (delta: string, reply_id = "rep_2") => [
  { ...base, seq: 2, type: "TEXT_BLOCK_START", reply_id, block_id: "b" },
  { ...base, seq: 3, type: "TEXT_BLOCK_DELTA", reply_id, block_id: "b", delta },
];

test("batches grow into the conversation of each called agent, below the call that has called it", () => {
  const below = {
    session_id: "ses_3",
    parent_session_id: "ses_2",
    tool_call_id: "call_2",
    agent_name: "Courier",
  };
  const stories = [
    batch([START]),
    batch(word("It left.")),
    batch([{ ...START, reply_id: "rep_3" }, ...word("By ship.", "rep_3")], below),
    batch([], { omitted: true }),
  ].reduce(tellCalled, NO_STORIES);
  const told = ["ses_1 call_1", "ses_2 call_2", "ses_1 call_2"].map((place) => {
    const [sessionId = "", callId = ""] = place.split(" ");
    return calledBy(stories, { sessionId, callId }).map(({ agentName, messages, isOmitted }) => {
      const texts = messages.flatMap(({ content }) =>
        content.map((block) => (block.type === "text" ? block.text : block.type)),
      );
      return [agentName, texts, isOmitted];
    });
  });

  expect(told).toEqual([
    [["Order desk", ["It left."], true]],
    [["Courier", ["By ship."], false]],
    [],
  ]);
});

test("events that no fold can read add nothing, and other events change nothing", () => {
  const odd = batch([null, 1, { type: "TEXT_BLOCK_DELTA" }, { ...START, id: "rep" }] as object[]);
  const other = { ...base, seq: 2, type: "CUSTOM", name: "x", value: {} } as LoggedEvent;
  const shapes = [{ events: "all" }, { session_id: 1 }, { tool_call_id: null }];
  const told = tellCalled(NO_STORIES, odd);

  expect(told.get("ses_2")?.messages).toHaveLength(1);
  expect(tellCalled(told, other)).toBe(told);
  expect(shapes.map((more) => tellCalled(told, batch([], more)) === told)).toEqual([
    true,
    true,
    true,
  ]);
});

test("a call's agent is the open reply's while it works, and the result's when it has ended", () => {
  const live = {
    tool_call_id: "call_1",
    session_id: "ses_2",
    agent_id: "agt_2",
    status: "working" as const,
    input_tokens: 3,
    output_tokens: 4,
    cost_usd: null,
  };
  const result = {
    metadata: {
      subagent: {
        session_id: "ses_2",
        agent_id: "agt_2",
        status: "completed",
        usage: { input_tokens: 5, output_tokens: 6, cost_usd: 0.25 },
      },
    },
  } as never;
  const found = [
    calledOf("call_1", [live], undefined),
    calledOf("call_1", [{ ...live, status: "ended" }], result),
    calledOf("call_1", [], result),
    calledOf("call_1", [], { metadata: { subagent: "x" } } as never),
    calledOf("call_9", [live], undefined),
  ].map((called) => called && [called.status, called.isAtWork, called.tokens, called.costUsd]);

  expect(found).toEqual([
    ["working", true, 7, null],
    ["completed", false, 11, 0.25],
    ["completed", false, 11, 0.25],
    null,
    null,
  ]);
});
