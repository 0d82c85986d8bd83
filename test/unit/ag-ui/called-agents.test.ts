// The agents that a reply has called, as lanes of its runs, and as the protocol's own client holds them.
import { describe, expect, it } from "vitest";

import type { AgUiProfile } from "../../../protocol/ag-ui/ag-ui-profile.ts";
import { agUiBody, playAgUi } from "../../support/ag-ui-client.ts";
import { sessionTranslator } from "../../support/ag-ui-history.ts";
import { agUiLog } from "../../support/ag-ui-log.ts";
import {
  allows,
  answered,
  asks,
  batch,
  begun,
  called,
  ended,
  question,
  results,
  runs,
  said,
  waits,
} from "../../support/called-log.ts";
import { verifyAgUi } from "../../support/verify-ag-ui.ts";

const START = { type: "REPLY_START", session_id: "ses_1", name: "A" };
const END = { type: "REPLY_END", session_id: "ses_1" };
const DESK = { session: "ses_desk", call: "c1" };
const AUDIT = { session: "ses_audit", call: "c2" };
/** Called by the desk. */
const BANK = { session: "ses_bank", call: "d2", parent: "ses_desk" };

/** The caller calls the desk and the audit in one turn. */
const CALLS = [
  START,
  ...called("c1", "desk"),
  ...called("c2", "audit"),
  runs("c1", "desk"),
  waits("c1", "ses_desk"),
  runs("c2", "audit"),
  waits("c2", "ses_audit"),
];

const AUDITED = [
  batch(AUDIT, begun("ses_audit"), ...said("b1", "All ", "well."), ended("ses_audit")),
  waits("c2", "ses_audit", false),
  ...results("c2", "All well."),
];

/** The desk asks for a refund. */
const ASKED = [
  batch(DESK, begun("ses_desk"), ...said("b1", "I look."), ...called("call_1"), asks("call_1")),
  question("ses_desk", "c1", asks("call_1")),
];

/** The refund was allowed, and the desk ends. */
const ALLOWED = [
  batch(DESK, allows("call_1")),
  answered("ses_desk", "c1", "call_1"),
  batch(DESK, runs("call_1"), ...results("call_1", "paid"), ended("ses_desk")),
  waits("c1", "ses_desk", false),
  ...results("c1", "It is paid."),
];

function eventsOf(events: readonly object[], joinAfter = 0, profile: AgUiProfile = "1.0") {
  const log = agUiLog(...events);
  const translator = sessionTranslator(log, { profile });
  for (const event of log.slice(0, joinAfter)) translator.push(event);
  const joined = translator.join();
  const rest = log.slice(joinAfter).flatMap((event) => translator.push(event));
  return [...joined, ...[...rest, ...translator.flush()].map(({ event }) => event)].map(
    ({ timestamp: _, ...event }) => event as { readonly type: string } & Record<string, unknown>,
  );
}

/** The events of lanes, and what begins and ends runs. */
function lanesOf(events: readonly object[]): object[] {
  return eventsOf(events)
    .filter(({ type }) => /^(RUN|SUBAGENT)_/.test(type))
    .map(({ threadId: _t, runId: _r, protocolVersion: _p, ...event }) => event);
}

const STARTED = { type: "RUN_STARTED" };
const SUCCESS = { outcome: { type: "success" } };
const opens = (session: string, more: object) => ({
  type: "SUBAGENT_STARTED",
  subagentRunId: session,
  name: `Agent ${session}`,
  ...more,
});
const DESK_OPENS = opens("ses_desk", { parentToolCallId: "c1" });
const DESK_ENDS = { type: "SUBAGENT_FINISHED", subagentRunId: "ses_desk", ...SUCCESS };

describe("an agent that a reply has called", () => {
  it("is a lane with its texts, calls and results, under ids that are nobody else's", () => {
    const told = eventsOf([
      START,
      ...called("call_1", "desk"),
      runs("call_1", "desk"),
      waits("call_1", "ses_desk"),
      batch(
        { session: "ses_desk", call: "call_1" },
        begun("ses_desk"),
        ...called("call_1"),
        runs("call_1"),
        ...results("call_1", "paid"),
        ...said("b1", "Do", "ne."),
        ended("ses_desk"),
      ),
      waits("call_1", "ses_desk", false),
      ...results("call_1", "Done."),
      END,
    ]);

    const owner = { subagentRunId: "ses_desk" };
    const call = { toolCallId: "ses_desk:call_1", ...owner };
    const text = { messageId: "ses_desk:b1", ...owner };
    expect(told.slice(4, -3)).toEqual([
      expect.objectContaining({ type: "CUSTOM", name: "subagent_call" }),
      opens("ses_desk", { parentToolCallId: "call_1" }),
      {
        type: "TOOL_CALL_START",
        toolCallName: "refund",
        parentMessageId: "ses_desk:calls:call_1",
        ...call,
      },
      { type: "TOOL_CALL_ARGS", delta: "{}", ...call },
      { type: "TOOL_CALL_END", ...call },
      {
        type: "TOOL_CALL_RESULT",
        messageId: "ses_desk:rep_desk:call_1",
        role: "tool",
        content: "paid",
        metadata: { agentscope: { state: "success" } },
        ...call,
      },
      { type: "TEXT_MESSAGE_START", role: "assistant", ...text },
      { type: "TEXT_MESSAGE_CONTENT", delta: "Do", ...text },
      { type: "TEXT_MESSAGE_CONTENT", delta: "ne.", ...text },
      { type: "TEXT_MESSAGE_END", ...text },
      DESK_ENDS,
    ]);
  });

  it("ends the run with its question once nothing else goes on, and goes on in the next run", () => {
    const suspended = { type: "suspended", interruptIds: ["rep_desk:call_1"] };
    const interrupt = {
      id: "rep_desk:call_1",
      subagentRunId: "ses_desk",
      toolCallId: "ses_desk:call_1",
      reason: "tool_call",
      message: "Run refund?",
      responseSchema: expect.objectContaining({ required: ["approved"] }),
      metadata: {
        agentscope: {
          kind: "user_confirm",
          replyId: "rep_desk",
          suggestedRules: [],
          inputHash: "hash",
          sessionId: "ses_desk",
          callId: "c1",
        },
      },
    };
    expect(lanesOf([...CALLS, ...ASKED, ...AUDITED, ...ALLOWED, END])).toEqual([
      STARTED,
      DESK_OPENS,
      opens("ses_audit", { parentToolCallId: "c2" }),
      { ...DESK_ENDS, subagentRunId: "ses_audit" },
      { ...DESK_ENDS, outcome: suspended },
      { type: "RUN_FINISHED", outcome: { type: "interrupt", interrupts: [interrupt] } },
      STARTED,
      DESK_OPENS,
      DESK_ENDS,
      { type: "RUN_FINISHED", ...SUCCESS },
    ]);
  });

  it("stays with what it has called, whose questions suspend both", () => {
    const bankAsks = [
      batch(DESK, begun("ses_desk"), ...called("d2", "bank"), runs("d2", "bank")),
      batch(BANK, begun("ses_bank"), ...called("call_1"), asks("call_1")),
      question("ses_bank", "c1", asks("call_1")),
    ];
    const log = [START, ...called("c1", "desk"), runs("c1", "desk"), waits("c1", "ses_desk")];
    const bank = { type: "SUBAGENT_FINISHED", subagentRunId: "ses_bank" };

    expect(lanesOf([...log, ...bankAsks]).slice(1, -1)).toEqual([
      DESK_OPENS,
      opens("ses_bank", { parentSubagentRunId: "ses_desk", parentToolCallId: "ses_desk:d2" }),
      { ...bank, outcome: { type: "suspended", interruptIds: ["rep_bank:call_1"] } },
      { ...DESK_ENDS, outcome: { type: "suspended" } },
    ]);
  });

  it("works on while a call of the reply waits, and is told of with the next run", () => {
    const told = [
      START,
      ...called("c1", "desk"),
      ...called("c3"),
      runs("c1", "desk"),
      waits("c1", "ses_desk"),
      batch(DESK, begun("ses_desk"), { type: "TEXT_BLOCK_START", block_id: "b1" }),
      asks("c3"),
      batch(DESK, { type: "TEXT_BLOCK_DELTA", block_id: "b1", delta: "I look." }),
    ];
    const asked = [batch(DESK, ...called("call_1"), asks("call_1")), ...ASKED.slice(1)];
    const ends = (events: readonly object[]) =>
      eventsOf(events).flatMap(({ type, outcome }) => {
        const { interrupts = [] } = (outcome ?? {}) as { interrupts?: { id: string }[] };
        return type === "RUN_FINISHED" ? [interrupts.map(({ id }) => id)] : [];
      });

    expect(ends(told)).toEqual([["rep_1:c3"]]);
    expect(ends([...told, ...asked])).toEqual([["rep_1:c3"], ["rep_1:c3", "rep_desk:call_1"]]);
    const next = eventsOf([...told, allows("c3")]).slice(eventsOf(told).length);
    expect(next.slice(0, 2)).toMatchObject([
      { type: "RUN_STARTED" },
      { type: "MESSAGES_SNAPSHOT", messages: [{}, { id: "ses_desk:b1", content: "I look." }] },
    ]);
  });

  it("ends its lane with an error when it fails, and when its caller's call ends before it", () => {
    const error = { type: "upstream", message: "No answer." };
    const failed = ended("ses_audit", { finished_reason: "error", error });
    const log = [
      ...CALLS,
      batch(DESK, begun("ses_desk"), { type: "TEXT_BLOCK_START", block_id: "b1" }),
      batch(AUDIT, begun("ses_audit"), failed),
      { type: "TOOL_RESULT_END", tool_call_id: "c1", state: "interrupted" },
      batch(DESK, ...said("b2", "Too late.")),
    ];
    expect(lanesOf(log).slice(3)).toEqual([
      {
        type: "SUBAGENT_ERROR",
        subagentRunId: "ses_audit",
        code: "upstream",
        message: "No answer.",
      },
      {
        type: "SUBAGENT_ERROR",
        subagentRunId: "ses_desk",
        code: "interrupted",
        message: "The agent was stopped.",
      },
    ]);
  });

  it("takes back what its session does, and says it again", async () => {
    const discarded = { discard_block_ids: ["b1"], discard_tool_call_ids: [] };
    const value = { reply_id: "rep_desk", ...discarded, discard_tool_result_ids: [] };
    const [opened, first] = said("b1", "Half of");
    const told = eventsOf([
      ...CALLS,
      batch(DESK, begun("ses_desk"), opened!, first!),
      batch(DESK, { type: "CUSTOM", name: "reply_recovered", value }, ...said("b2", "All of it.")),
    ]);

    const { messages } = await playAgUi(agUiBody(told));
    expect(messages.flatMap(({ id, content }) => (content ? [[id, content]] : []))).toEqual([
      ["ses_desk:b2", "All of it."],
    ]);
  });

  it("asks also when most of it is left out", () => {
    const log = [
      ...CALLS,
      ...AUDITED,
      batch({ ...DESK, omitted: true }, begun("ses_desk"), asks("call_1")),
      question("ses_desk", "c1", asks("call_1")),
    ];
    expect(lanesOf(log).at(-1)).toMatchObject({
      outcome: { type: "interrupt", interrupts: [{ id: "rep_desk:call_1" }] },
    });
  });
});

describe("the protocol's client", () => {
  const STORY = [...CALLS, ...ASKED, ...AUDITED, ...ALLOWED, ...said("b9", "Done."), END];

  it("holds the same of called agents wherever it joins, without a warning", async () => {
    const whole = await playAgUi(agUiBody(eventsOf(STORY)));

    expect(whole.messages.map(({ id, subagentRunId }) => [id, subagentRunId])).toEqual([
      ["calls:c1", undefined],
      ["rep_1:c2", undefined],
      ["rep_1:c1", undefined],
      ["ses_desk:b1", "ses_desk"],
      ["ses_desk:rep_desk:call_1", "ses_desk"],
      ["ses_audit:b1", "ses_audit"],
      ["b9", undefined],
    ]);
    for (let cut = 1; cut < STORY.length; cut += 1) {
      const joined = eventsOf(STORY, cut);
      await verifyAgUi(joined);
      const held = await playAgUi(agUiBody(joined));
      const byId = (one: { id: string }, other: { id: string }) => (one.id < other.id ? -1 : 1);
      expect(held.messages.toSorted(byId)).toEqual(whole.messages.toSorted(byId));
      expect(held.warnings).toEqual([]);
    }
  });

  it("of the profile 0.0 is told of steps, and asked about the call that the agent works for", () => {
    const told = eventsOf(STORY, 0, "0.0");
    const outcomes = told.flatMap(({ type, outcome }) =>
      type === "RUN_FINISHED" ? [outcome] : [],
    );

    expect(told.filter((event) => "subagentRunId" in event)).toEqual([]);
    expect(told.flatMap(({ stepName }) => stepName ?? [])).toEqual([
      "agent:ses_desk",
      "agent:ses_audit",
      "agent:ses_audit",
      "agent:ses_desk",
      "agent:ses_desk",
      "agent:ses_desk",
    ]);
    expect(outcomes).toEqual([
      {
        type: "interrupt",
        interrupts: [expect.objectContaining({ id: "rep_desk:call_1", toolCallId: "c1" })],
      },
      { type: "success" },
    ]);
    expect(outcomes[0]).not.toMatchObject({ interrupts: [{ subagentRunId: "ses_desk" }] });
  });
});
