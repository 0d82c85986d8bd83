// The world that the requests of typical mistakes are about.
import { inject } from "vitest";

import type { PendingCall, Reply } from "../../protocol/replies/contract.ts";
import { createAgent, createSession, createTenant, request } from "./platform-client.ts";

/** The world of the requests: one tenant with a session that waits and one that runs, and another tenant. */
export interface MistakeWorld {
  readonly key: string;
  readonly agent: string;
  readonly session: string;
  /** Has no reply yet. */
  readonly fresh: string;
  readonly running: string;
  readonly waiting: string;
  readonly reply: Reply;
  readonly call: PendingCall;
  readonly answered: object;
  readonly token: string;
  readonly narrowKey: string;
  readonly suspendedKey: string;
  readonly operatorKey: string;
  readonly foreign: { readonly agent: string; readonly session: string };
}

/** A tool that asks a person. */
export const MISTAKEN_TOOL = {
  type: "http",
  name: "refund_order",
  url: "https://shop.example/refund",
};
const SLOW = { provider: "scripted", parameters: { tokens_per_second: 1 } };

export async function openMistakeWorld(): Promise<MistakeWorld> {
  const operator = inject("operatorKey");
  const [{ key }, other, suspended] = await Promise.all([
    createTenant(),
    createTenant(),
    createTenant(),
  ]);
  const agent = await createAgent(key, {
    tools: [{ ...MISTAKEN_TOOL, url: `${inject("toolsUrl")}/refund_order` }],
  });
  const [session, waiting, slow, foreignAgent] = await Promise.all([
    createSession(key, agent),
    createSession(key, agent),
    createAgent(key, { model: SLOW, tools: [] }),
    createAgent(other.key),
  ]);
  const running = await createSession(key, slow);
  const ask = (id: string, body: object) =>
    request<Reply>("POST", `/v1/sessions/${id}/replies`, { key, body });
  const parked = await ask(waiting, { input: '/call refund_order {"order_id":"A-1003"}' });
  const [call] = parked.body.pending;
  if (!call) throw new Error("nothing waits");
  await ask(running, { input: "/words 20000", background: true });
  const done = await ask(session, { input: '/call refund_order {"order_id":"A-1003"}' });
  const answered = {
    type: "USER_CONFIRM_RESULT",
    reply_id: done.body.id,
    confirm_results: done.body.pending.map(({ tool_call: { id } }) => ({
      confirmed: false,
      tool_call: { id },
    })),
  };
  await request("POST", `/v1/sessions/${session}/events`, { key, body: answered });
  const token = await request<{ token: string }>("POST", `/v1/sessions/${session}/tokens`, {
    key,
    body: {},
  });
  const narrow = await request<{ api_key: string }>("POST", "/v1/api-keys", {
    key,
    body: { scopes: ["agents:read"] },
  });
  await request("PATCH", `/v1/tenants/${suspended.id}`, {
    key: operator,
    body: { status: "suspended" },
  });
  return {
    key,
    agent,
    session,
    fresh: await createSession(key, agent),
    running,
    waiting,
    reply: parked.body,
    call,
    answered,
    token: token.body.token,
    narrowKey: narrow.body.api_key,
    suspendedKey: suspended.key,
    operatorKey: operator,
    foreign: { agent: foreignAgent, session: await createSession(other.key, foreignAgent) },
  };
}
