// A key that may answer and interrupt but not read is told how replies stand, and nothing that is in them.
import { describe, expect, it } from "vitest";

import { sampled } from "../../support/breadth.ts";
import { ask, type Answer, type Call } from "../support/api.ts";
import { keyWith } from "../support/credentials.ts";
import {
  confirmation,
  externalResults,
  openParked,
  LABEL,
  REFUND,
} from "../support/parked-session.ts";

type Parked = Awaited<ReturnType<typeof openParked>>;

const WRITES = ["replies:write", "confirmations:write", "tool_results:write"] as const;

/** Each way in which a reply is answered or ended that another credential has begun. */
const WAYS: readonly (readonly [string, (parked: Parked, by: Call) => Promise<Answer<unknown>>])[] =
  [
    ["an interrupt", ({ path }, by) => ask("POST", `${path}/interrupt`, by)],
    [
      "a confirmation",
      ({ events, reply, pending }, by) =>
        ask("POST", events, { ...by, json: confirmation(reply, pending.slice(0, 1)) }),
    ],
    [
      "a result",
      ({ events, reply, pending }, by) =>
        ask("POST", events, { ...by, json: externalResults(reply, pending.slice(1)) }),
    ],
    [
      "an interrupt as an event",
      ({ events, reply }, by) =>
        ask("POST", events, { ...by, json: { type: "USER_INTERRUPT", reply_id: reply.id } }),
    ],
    [
      "answers in bulk",
      ({ session, reply, pending }, by) => {
        const event = confirmation(reply, pending.slice(0, 1));
        return ask("POST", "/v1/confirmations", {
          ...by,
          json: { answers: [{ session_id: session.id, event }] },
        });
      },
    ],
    [
      "a second answer that differs",
      async ({ events, reply, pending }, by) => {
        const result = (output: string) => externalResults(reply, pending.slice(1), output);
        await ask("POST", events, { ...by, json: result("one") });
        return ask("POST", events, { ...by, json: result("two") });
      },
    ],
    [
      "the tool stop_ of MCP",
      ({ agent, session }, by) =>
        callTool(agent.id, "stop_refund_desk", { session_id: session.id }, by),
    ],
    [
      "the tool resume_ of MCP",
      ({ agent, session }, by) =>
        callTool(agent.id, "resume_refund_desk", { session_id: session.id }, by),
    ],
  ];

function callTool(agentId: string, name: string, args: object, by: Call) {
  return ask("POST", `/v1/agents/${agentId}/mcp`, {
    ...by,
    json: { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } },
    headers: { Accept: "application/json" },
  });
}

/** In an input of a call, and in what the model says. */
const SECRETS = ["A-1001", "Let me see"];

describe.each(WAYS)("%s", (_, act) => {
  for (const [rows, breadth] of sampled(
    [
      [false, WRITES],
      [true, [...WRITES, "sessions:read"] as const],
      [true, [...WRITES, "replies:read"] as const],
    ],
    1,
  ))
    it.each(rows)("shows what is in the reply: %s, with %j", breadth, async (isShown, scopes) => {
      const parked = await openParked(`/say Let me see.\n${REFUND}\n${LABEL}`);
      const answer = await act(parked, await keyWith(parked.call, scopes));

      expect(SECRETS.some((secret) => answer.text.includes(secret))).toBe(isShown);
      expect(answer.text).not.toContain("verb_missing");
    });
});

describe("a stream of what follows an answer", () => {
  it("is refused to who may not read, and nothing is answered", async () => {
    const parked = await openParked();
    const by = await keyWith(parked.call, WRITES);
    const json = confirmation(parked.reply, parked.pending);
    const refused = await ask<{ code: string; required_scope: string }>(
      "POST",
      `${parked.events}?stream=true`,
      { ...by, json },
    );
    const reply = await ask("GET", `${parked.path}/replies/${parked.reply.id}`, parked.call);

    expect([refused.status, refused.json.required_scope]).toEqual([403, "sessions:read"]);
    expect(reply.json).toEqual(parked.reply);
  });
});
