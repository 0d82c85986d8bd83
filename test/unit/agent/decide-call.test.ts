// The decision about one tool call, as data: what the reply, its tools, rules and hooks make of it. Nothing runs.
import { describe, expect, it } from "vitest";

import type { Ability } from "../../../agent/ability.ts";
import type { ToolDeclaration } from "../../../agent/ports.ts";
import { NO_HOOKS, type HookRecord } from "../../../agent/state/hook-record.ts";
import { startReplyState } from "../../../agent/state/reply-state.ts";
import { decideCall, type CallFacts } from "../../../agent/tool-call/decide-call.ts";
import type { HookAnsweredValue } from "../../../protocol/hooks/events.ts";
import type { ToolCallBlock } from "../../../protocol/messages/blocks.ts";
import { deepFreeze } from "../../support/deep-freeze.ts";

const TOOL: ToolDeclaration = {
  name: "pay",
  description: "",
  input_schema: { type: "object", properties: { to: { type: "string" } } },
  read_only: false,
  concurrency_safe: false,
  idempotent: true,
  rule_argument: "/to",
};
const INPUT = { to: "A" };
const CALL: ToolCallBlock = {
  type: "tool_call",
  id: "c1",
  name: "pay",
  input: JSON.stringify(INPUT),
  state: "pending",
  suggested_rules: [],
  created_at: "2026-01-01T00:00:00.000Z",
  finished_at: null,
};
const REPLY = startReplyState({
  type: "REPLY_START",
  id: "evt_1",
  created_at: "2026-01-01T00:00:00.000Z",
  session_id: "ses_1",
  reply_id: "rep_1",
  name: "Agent",
  role: "assistant",
  metadata: {},
});
const ALLOW = { tool_name: "pay", rule_content: "A", behavior: "allow", source: "agent" } as const;
const ASKS = { mode: "default", rules: [], working_directories: [] } as const;
const ALLOWS = { ...ASKS, rules: [ALLOW] };
const FACTS: CallFacts = {
  reply: REPLY,
  tools: [TOOL],
  abilities: [],
  permission: ALLOWS,
  started: new Set(),
  offered: [],
  has_hooks: false,
};
/** The record of a call that the rule allows. */
const RULE = { behavior: "allow", reason: null, rule: ALLOW } as const;

function decide(facts: Partial<CallFacts>, call: Partial<ToolCallBlock> = {}): unknown {
  return decideCall(deepFreeze({ ...CALL, ...call }), deepFreeze({ ...FACTS, ...facts }));
}

/** A reply whose hook has answered about the call. */
function shown(answer: Partial<HookAnsweredValue>): Pick<CallFacts, "reply"> {
  const value: HookAnsweredValue = {
    id: "q1",
    hook: "desk",
    point: "pre_acting",
    step: "c1",
    outcome: "unchanged",
    ...answer,
  };
  const answers: HookRecord["answers"] = new Map([["q1", value]]);
  const verdicts: HookRecord["verdicts"] = value.asks ? new Map([["c1", value]]) : new Map();
  return { reply: { ...REPLY, hooks: { ...NO_HOOKS, answers, verdicts } } };
}

function ability(kind: "log" | "outside" | "internal", tool: ToolDeclaration): Ability {
  const settle = () => {
    throw new Error("a decision settles nothing");
  };
  return { name: "desk", tools: { kind, declare: () => [tool], settle } };
}

describe("a call that the rules allow", () => {
  it("runs, goes to its external system, or is recorded by its ability", () => {
    const allowed = { input: INPUT, decision: RULE };
    expect(decide({})).toEqual({ type: "run", tool: TOOL, ...allowed });

    const external = { ...TOOL, external: {} };
    expect(decide({ tools: [external] })).toEqual({
      type: "hand_over",
      tool: external,
      ...allowed,
    });

    const own = { ...TOOL, ability: "desk" };
    const tools = [own];
    expect(decide({ tools, abilities: [ability("log", own)] })).toEqual({
      type: "record",
      ability: "desk",
      tool: own,
      ...allowed,
    });
    expect(decide({ tools, abilities: [ability("outside", own)] })).toEqual({
      type: "run",
      tool: own,
      ...allowed,
    });
  });

  it("runs without a record of the platform's decision when a person has allowed it", () => {
    expect(decide({ permission: ASKS }, { state: "allowed" })).toEqual({
      type: "run",
      tool: TOOL,
      input: INPUT,
      decision: null,
    });
  });

  it("is postponed until its hooks were shown it", () => {
    expect(decide({ has_hooks: true })).toEqual({ type: "postpone" });
    expect(decide({ has_hooks: true, ...shown({}) })).toMatchObject({ type: "run" });
    expect(decide({ has_hooks: true }, { state: "allowed" })).toMatchObject({ type: "run" });
  });
});

describe("a call that has to be asked about", () => {
  const permission = ASKS;

  it("is a question with the rules that would decide it", () => {
    expect(decide({ permission })).toMatchObject({
      type: "ask",
      tool: TOOL,
      input: INPUT,
      permission: { behavior: "ask", suggestedRules: [{ tool_name: "pay", rule_content: "A" }] },
    });
  });

  it("is postponed while a question of the batch offers a rule that covers it", () => {
    const offered = [ALLOW];
    expect(decide({ permission, offered })).toEqual({ type: "postpone" });
    expect(decide({ permission, offered }, { input: '{"to":"B"}' })).toMatchObject({ type: "ask" });
  });

  it("is asked about in spite of such a rule when a hook or untrusted content asks", () => {
    const offered = [ALLOW];
    const asked = shown({ outcome: "asked", asks: true });
    expect(decide({ permission, offered, has_hooks: true, ...asked })).toMatchObject({
      type: "ask",
      permission: { reason: "Hook: desk", suggestedRules: [] },
    });

    const sink = { ...TOOL, sink: true };
    const untrusted = [{ tool_name: "mail", tool_call_id: "c0" }];
    expect(decide({ tools: [sink], offered, permission: { ...ALLOWS, untrusted } })).toMatchObject({
      type: "ask",
      permission: { untrusted },
    });
  });
});

describe("a call that cannot run", () => {
  it("is refused, also while hooks were not shown it", () => {
    const text = "There is no tool named pay. Tools: none.";
    const refusal = { state: "error", text, decision: null };
    expect(decide({ tools: [] })).toEqual({ type: "refuse", refusal });
    expect(decide({ tools: [], has_hooks: true })).toEqual({ type: "refuse", refusal });
    expect(decide({}, { input: '{"to":1}' })).toMatchObject({ type: "refuse" });
    expect(decide({ permission: { ...ASKS, mode: "dont_ask" } })).toMatchObject({
      type: "refuse",
      refusal: { state: "denied", decision: { behavior: "deny" } },
    });
  });
});

describe("a call of an internal tool", () => {
  const abilities = [ability("internal", TOOL)];

  it("is its ability's, whatever rules and hooks say, and names it alone", () => {
    const permission = { ...ASKS, mode: "dont_ask" } as const;
    expect(decide({ tools: [], abilities, permission, has_hooks: true })).toEqual({
      type: "settle",
      ability: "desk",
    });
  });

  it("is another tool's when that has the name, but for a client's", () => {
    expect(decide({ abilities })).toMatchObject({ type: "run" });
    const client = { ...TOOL, external: { offered_by: "client" } } as const;
    expect(decide({ abilities, tools: [client] })).toEqual({ type: "settle", ability: "desk" });
  });
});

describe("a call that had started when its machine was lost", () => {
  const started = new Set(["c1"]);

  it("is repeated without a question, whatever the rules say by now", () => {
    const permission = ASKS;
    expect(decide({ started, permission, has_hooks: true })).toEqual({
      type: "repeat",
      tool: TOOL,
      input: INPUT,
    });
  });

  it("fails when its tool is gone or takes another input", () => {
    const text = "There is no tool named pay any more.";
    expect(decide({ started, tools: [] })).toEqual({
      type: "fail",
      refusal: { state: "error", text, decision: null },
    });
    expect(decide({ started }, { input: '{"to":1}' })).toMatchObject({ type: "fail" });
  });
});
