// Agents that a reply has called, in the stream for AgentScope for Java.
import { describe, expect, it } from "vitest";

import { createJavaTranslator } from "../../../protocol/dialects/java-translator.ts";
import { parseEvent } from "../../../protocol/parse.ts";
import { agUiLog, LOGGED_AT } from "../../support/ag-ui-log.ts";
import { asks, batch, begun, called, question, runs, waits } from "../../support/called-log.ts";

const START = { type: "REPLY_START", session_id: "ses_1", name: "A" };
const DESK = { session: "ses_desk", call: "c1" };
const BANK = { session: "ses_bank", call: "d1", parent: "ses_desk" };

const LOG = agUiLog(
  START,
  ...called("c1", "order_desk"),
  runs("c1", "order_desk"),
  waits("c1", "ses_desk"),
  batch(DESK, begun("ses_desk"), ...called("d1", "bank")),
  batch(BANK, runs("e1")),
  question("ses_bank", "c1", asks("e1")),
);

describe("a called agent in the Java stream", () => {
  it("is exposed once, and its events are forwarded with the path of agents that leads to it", () => {
    const translator = createJavaTranslator();
    const told = LOG.flatMap((event) => translator.translate(event)).slice(5);
    const own = { createdAt: LOGGED_AT, replyId: "rep_1" };
    const exposed = { id: "e.2", ...own, type: "SUBAGENT_EXPOSED" };
    const desk = { sessionId: "ses_desk", subagentId: "ses_desk", agentId: "agt_ses_desk" };
    const bank = { sessionId: "ses_bank", subagentId: "ses_bank", agentId: "agt_ses_bank" };
    const fromDesk = {
      createdAt: LOGGED_AT,
      replyId: "rep_desk",
      source: "agt_ses_desk",
      metadata: { taskId: "ses_desk", parentSessionId: "ses_1" },
    };

    expect(told).toEqual([
      { id: "e", ...own, type: "CUSTOM", name: "subagent_call", value: expect.anything() },
      { ...exposed, ...desk, label: "order_desk" },
      { id: "e", ...own, type: "CUSTOM", name: "subagent_event", value: expect.anything() },
      {
        id: "e.2",
        ...fromDesk,
        type: "AGENT_START",
        sessionId: "ses_desk",
        name: "ses_desk",
        role: "assistant",
      },
      {
        id: "e.3",
        ...fromDesk,
        type: "TOOL_CALL_START",
        toolCallId: "d1",
        toolCallName: "bank",
      },
      { id: "e.4", ...fromDesk, type: "TOOL_CALL_DELTA", toolCallId: "d1", delta: "{}" },
      { id: "e.5", ...fromDesk, type: "TOOL_CALL_END", toolCallId: "d1" },
      { id: "e", ...own, type: "CUSTOM", name: "subagent_event", value: expect.anything() },
      { ...exposed, ...bank, label: "bank" },
      {
        id: "e.3",
        createdAt: LOGGED_AT,
        replyId: "rep_bank",
        source: "agt_ses_desk/agt_ses_bank",
        metadata: { taskId: "ses_bank", parentSessionId: "ses_desk" },
        type: "TOOL_RESULT_START",
        toolCallId: "e1",
        toolCallName: "refund",
      },
      {
        id: "e",
        ...own,
        type: "CUSTOM",
        name: "subagent_require_user_confirm",
        value: expect.anything(),
      },
    ]);
  });

  it("is the same log again when the stream is read back without what is beside it", () => {
    const translator = createJavaTranslator();
    const read = LOG.map((event) => ({
      ...parseEvent(translator.translate(event).find(({ id }) => id === event.id)),
      seq: event.seq,
    }));

    expect(read).toEqual(LOG);
  });
});
