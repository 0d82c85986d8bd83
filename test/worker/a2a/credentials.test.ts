// Credentials over A2A: an app's client token has the agent of its session alone, and an answer that is long in coming is not for
// one that has ended meanwhile.
import { describe, expect, test } from "vitest";

import type { A2aTask } from "../../../protocol/a2a/wire.ts";
import type { CreatedApiKey } from "../../../protocol/keys/contract.ts";
import { ask, type Call, makeAgent, makeSession, makeTenant } from "../support/api.ts";
import { mintCall, mintToken } from "../support/client-token.ts";
import { waitUntil } from "../../support/wait-for.ts";

const VERSION = { "A2A-Version": "1.0" };

async function desk() {
  const { call } = await makeTenant();
  const agent = await makeAgent(call, { name: "Desk", a2a: { enabled: true } });
  const base = `/v1/agents/${agent.id}/a2a`;
  const session = await makeSession(call, { agent_id: agent.id });
  return { call, base, path: `/v1/sessions/${session.id}` };
}

function said(text: string) {
  return {
    message: { messageId: crypto.randomUUID(), role: "ROLE_USER", parts: [{ text }] },
  };
}

describe("A client token", () => {
  test("reads the cards of its session's agent, and finds no other agent", async () => {
    const { call, base, path } = await desk();
    const other = await makeAgent(call, { name: "Other", a2a: { enabled: true } });
    const token: Call = { ...(await mintCall(path, call, { verbs: ["read"] })), headers: VERSION };
    const statuses = [];
    for (const at of [base, `/v1/agents/${other.id}/a2a`]) {
      const card = await ask("GET", `${at}/.well-known/agent-card.json`, token);
      const extended = await ask("GET", `${at}/extendedAgentCard`, token);
      statuses.push([card.status, extended.status]);
    }

    expect(statuses).toEqual([
      [200, 200],
      [404, 404],
    ]);
  });

  test("that is revoked while its message is at work is not told the answer", async () => {
    const { call, base, path } = await desk();
    const { id, token } = await mintToken(path, call, { verbs: ["read", "reply"] });
    const sent = ask("POST", `${base}/message:send`, {
      key: token,
      headers: VERSION,
      json: said("/wait 1500\n/say The secret."),
    });
    await waitUntil(async () => {
      const { json } = await ask<{ data: readonly unknown[] }>("GET", `${path}/replies`, call);
      return json.data[0];
    });
    await ask("DELETE", `${path}/tokens/${id}`, call);
    const answer = await sent;

    expect([answer.status, answer.text.includes("The secret.")]).toEqual([401, false]);
  });

  test("is waited for no longer than it lasts", async () => {
    const { call, base, path } = await desk();
    const token = await mintCall(path, call, { verbs: ["read", "reply"], ttl_seconds: 2 });
    const sent = await ask<{ task: A2aTask }>("POST", `${base}/message:send`, {
      ...token,
      headers: VERSION,
      json: said("/wait 60000\n/say Late."),
    });

    expect([sent.status, sent.json.task.status.state]).toEqual([200, "TASK_STATE_WORKING"]);
  });
});

test("a key that may read replies alone is shown no stream of a message, which begins nothing", async () => {
  const { call, base, path } = await desk();
  const scopes = ["replies:read", "replies:write", "sessions:write"];
  const made = await ask<CreatedApiKey>("POST", "/v1/api-keys", { ...call, json: { scopes } });
  const answer = await ask("POST", `${base}/message:stream`, {
    key: made.json.api_key,
    headers: VERSION,
    json: said("/say Hello."),
  });
  const { json } = await ask<{ data: readonly { id: string }[] }>("GET", "/v1/sessions", call);

  expect(answer.status).toBe(403);
  expect(json.data.map(({ id }) => `/v1/sessions/${id}`)).toEqual([path]);
});
