// Decisions and results that an MCP client sends as filled-in forms: only what was clearly given counts.
import { describe, expect, it } from "vitest";

import type { PendingCall, Reply } from "../../../protocol/replies/contract.ts";
import { MAX_ANSWER_REASON_CHARACTERS } from "../../../protocol/confirmations/limits.ts";
import {
  readInputResponses,
  takesForms,
  toInputRequests,
  type AskedCall,
} from "../../../protocol/agent-mcp/waiting-inputs.ts";
import { waitingCalls } from "../../../protocol/agent-mcp/waiting-calls.ts";

const PAY: AskedCall = { id: "c1", kind: "permission", hash: "h1" };
const LOOK: AskedCall = { id: "c2", kind: "external_result", hash: null };

describe("a client takes forms", () => {
  it.each([
    [{ elicitation: {} }, true],
    [{ elicitation: { form: {} } }, true],
    [{ elicitation: { form: {}, url: {} } }, true],
    [{ elicitation: { url: {} } }, false],
    [{ elicitation: { form: true } }, false],
    [{ elicitation: true }, false],
    [{ elicitation: [] }, false],
    [{}, false],
  ])("that declares %j: %s", (capabilities, takes) => {
    expect(takesForms(capabilities)).toBe(takes);
  });
});

describe("the forms for what waits", () => {
  const call = (id: string, more: Partial<PendingCall>): PendingCall => ({
    kind: "permission",
    tool_call: {
      type: "tool_call",
      id,
      name: "pay",
      input: '{"to":"A"}',
    } as PendingCall["tool_call"],
    input_hash: "h1",
    expires_at: null,
    suggested_rules: [],
    ...more,
  });
  const reply = {
    pending: [
      call("c1", { question: "Pay A?" }),
      call("c2", {}),
      call("c3", { kind: "external_result" }),
    ],
  } as unknown as Reply;
  const decision = {
    type: "object",
    properties: {
      decision: { type: "string", title: "Decision", enum: ["approve", "deny"] },
      reason: { type: "string", title: "Reason", maxLength: MAX_ANSWER_REASON_CHARACTERS },
    },
    required: ["decision"],
  };
  const form = (message: string, requestedSchema: object): object => ({
    method: "elicitation/create",
    params: { mode: "form", message, requestedSchema },
  });

  it("ask for a decision with the question, or for the result", () => {
    expect(toInputRequests(waitingCalls(reply))).toEqual({
      c1: form('Pay A?\npay {"to":"A"}', decision),
      c2: form('May the agent call pay?\npay {"to":"A"}', decision),
      c3: form('The agent needs the result of pay with {"to":"A"}', {
        type: "object",
        properties: { output: { type: "string", title: "Result" } },
        required: ["output"],
      }),
    });
  });
});

describe("a form about a call", () => {
  const read = (response: unknown, call = PAY) =>
    readInputResponses([call], { [call.id]: response });

  it.each([
    [{ action: "accept", content: { decision: "approve" } }, { approved: true }],
    [{ action: "accept", content: { decision: "deny" } }, { approved: false }],
    [
      { action: "accept", content: { decision: "deny", reason: "no" } },
      { approved: false, reason: "no" },
    ],
    [{ action: "accept", content: { decision: "approve", reason: "" } }, { approved: true }],
    [{ action: "accept", content: { decision: "approve", reason: 7 } }, { approved: true }],
    [{ action: "decline" }, { approved: false }],
    // A person who declines has not approved, whatever the fields say.
    [{ action: "decline", content: { decision: "approve" } }, { approved: false }],
  ])("that says %j is an answer, with the hash that was shown", (response, answer) => {
    expect(read(response)).toEqual([{ call_id: "c1", input_hash: "h1", ...answer }]);
  });

  it.each([
    undefined,
    null,
    "approve",
    [],
    {},
    { action: "cancel", content: { decision: "approve" } },
    { action: "ACCEPT", content: { decision: "approve" } },
    { content: { decision: "approve" } },
    { action: "accept" },
    { action: "accept", content: null },
    { action: "accept", content: ["approve"] },
    { action: "accept", content: {} },
    { action: "accept", content: { decision: true } },
    { action: "accept", content: { decision: "yes" } },
    { action: "accept", content: { decision: "Approve" } },
    { action: "accept", content: { decision: ["approve"] } },
    { action: "accept", decision: "approve" },
  ])("that says %j decides nothing", (response) => {
    expect(read(response)).toEqual([]);
  });

  it("has no hash where none was shown, and a reason of bounded length", () => {
    const reason = "x".repeat(MAX_ANSWER_REASON_CHARACTERS + 1);

    expect(
      read({ action: "accept", content: { decision: "deny", reason } }, { ...PAY, hash: null }),
    ).toEqual([{ call_id: "c1", approved: false, reason: reason.slice(1) }]);
  });

  it.each([
    [{ action: "accept", content: { output: "42" } }, [{ call_id: "c2", output: "42" }]],
    [{ action: "accept", content: { output: "" } }, [{ call_id: "c2", output: "" }]],
    [{ action: "accept", content: { output: 42 } }, []],
    [{ action: "accept", content: { decision: "approve" } }, []],
    [{ action: "cancel", content: { output: "42" } }, []],
    [
      { action: "decline" },
      [{ call_id: "c2", output: "The person has given no result.", is_error: true }],
    ],
  ])("whose result is waited for, with %j, is %j", (response, answers) => {
    expect(read(response, LOOK)).toEqual(answers);
  });
});

describe("forms about several calls", () => {
  it("are read by the ids that were asked about alone", () => {
    const accept = (content: object) => ({ action: "accept", content });
    const responses = {
      c9: accept({ decision: "approve" }),
      c2: accept({ output: "42" }),
      c1: accept({ decision: "approve" }),
    };

    expect(readInputResponses([PAY, LOOK], responses)).toEqual([
      { call_id: "c1", approved: true, input_hash: "h1" },
      { call_id: "c2", output: "42" },
    ]);
  });

  it.each([undefined, null, "c1", [{ action: "decline" }], 7])("are none in %j", (responses) => {
    expect(readInputResponses([PAY, LOOK], responses)).toEqual([]);
  });

  it("are not found in what every object has", () => {
    const inherited = Object.create({ c1: { action: "accept", content: { decision: "approve" } } });

    expect(readInputResponses([PAY], inherited)).toEqual([]);
  });
});
