// The agents that a reply has called, as a store keeps them from the caller's log.
import { describe, expect, it } from "vitest";

import { appendPlain } from "../../../protocol/fold/append-plain.ts";
import { startMessage } from "../../../protocol/fold/start-message.ts";
import { CalledAgents } from "../../../sdk/store/called-agents.ts";
import { askedCall } from "../../../sdk/store/conversation.ts";
import { sameCalls, toSessionCall } from "../../../sdk/store/waiting-calls.ts";
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
  runs,
  said,
} from "../../support/called-log.ts";

const CORE = { append: appendPlain, start: startMessage, askedCall, toSessionCall, sameCalls };
const DESK = { session: "ses_desk", call: "c1" };
const BANK = { session: "ses_bank", call: "d1", parent: "ses_desk" };
const START = { type: "REPLY_START", session_id: "ses_1", name: "A" };

/** The desk has called the bank, which asks. */
const ASKED = [
  START,
  batch(
    DESK,
    begun("ses_desk"),
    ...said("b1", "I ask ", "the bank."),
    ...called("d1", "bank"),
    runs("d1"),
  ),
  batch(BANK, begun("ses_bank"), ...called("e1"), asks("e1")),
  question("ses_bank", "c1", asks("e1")),
];

function keep(...events: readonly object[]) {
  const agents = new CalledAgents(CORE, "rep_1");
  const log = agUiLog(...events);
  for (const event of log) agents.take(event);
  const statuses = () => agents.view(new Map()).map(({ sessionId, status }) => [sessionId, status]);
  return { agents, log, statuses };
}

describe("a tree of called agents", () => {
  it("waits as a whole for a question at its end, and goes on with the answer", () => {
    const { agents, statuses } = keep(...ASKED);
    const [desk, bank] = agents.view(new Map());

    expect(statuses()).toEqual([
      ["ses_desk", "waiting"],
      ["ses_bank", "waiting"],
    ]);
    expect(desk?.message?.content[0]).toMatchObject({ type: "text", text: "I ask the bank." });
    expect(bank).toMatchObject({
      parentSessionId: "ses_desk",
      toolCallId: "d1",
      pendingCalls: [{ kind: "permission", reply_id: "rep_bank", input: {}, input_hash: "hash" }],
    });
    expect(
      keep(...ASKED, batch(BANK, allows("e1")), answered("ses_bank", "c1", "e1")).statuses(),
    ).toEqual([
      ["ses_desk", "running"],
      ["ses_bank", "running"],
    ]);
  });

  it("is the same list until something of it changes, also when its log is given twice", () => {
    const { agents, log } = keep(...ASKED);
    const before = agents.view(new Map());
    for (const event of log) agents.take(event);

    expect(agents.view(new Map())).toBe(before);
  });

  it("ends with its own ends, with the call of its caller, and leaves with the next reply", () => {
    const done = { type: "TOOL_RESULT_END", tool_call_id: "c1", state: "interrupted" };
    const next = { ...START, reply_id: "rep_2" };

    expect(keep(...ASKED, batch(BANK, ended("ses_bank")), done).statuses()).toEqual([
      ["ses_desk", "interrupted"],
      ["ses_bank", "completed"],
    ]);
    expect(keep(...ASKED, next).statuses()).toEqual([]);
  });
});
