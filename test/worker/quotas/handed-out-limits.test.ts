// Credentials that a tenant hands out to others, and the reach of a holder who sends too much.
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";

import type { CreatedInboundEndpoint } from "../../../protocol/inbound/contract.ts";
import { signToken } from "../../../storage/secrets/signed-token.ts";
import { parseWebhookSecret, signWebhook } from "../../../webhooks/webhook-signature.ts";
import { app } from "../../../worker/app.ts";
import { ask, makeSession, openSession } from "../support/api.ts";
import { mintToken } from "../support/client-token.ts";

/** A brake that knows no window: each key has so many requests for the whole test. */
function brake(requests: number) {
  const counts = new Map<string, number>();
  const limit = ({ key }: RateLimitOptions) => {
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return Promise.resolve({ success: count <= requests });
  };
  return { limit, counted: () => [...counts.values()] };
}

/** @returns The status, or which limit there is no more room in. */
async function askWith(bindings: Partial<Env>, path: string, request: RequestInit = {}) {
  const response = await app.request(path, request, { ...env, ...bindings });
  await response.text();
  return response.headers.get("RateLimit") ?? response.status;
}

function bearer(key: string): RequestInit {
  return { headers: { Authorization: `Bearer ${key}` } };
}

const TOKEN = '"token";r=0;t=10';
const TENANT = '"tenant";r=0;t=10';

describe("a client token that floods", () => {
  test("stops itself alone, and uses up nothing of its tenant's room", async () => {
    const { call, path, agent } = await openSession();
    const other = await makeSession(call, { agent_id: agent.id });
    const [flooding, sibling] = [await mintToken(path, call), await mintToken(path, call)];
    const neighbour = await mintToken(`/v1/sessions/${other.id}`, call);
    const tenant = brake(100);
    const bindings = { TOKEN_LIMIT: brake(3), TENANT_LIMIT: tenant };

    const answers = [];
    for (let sent = 0; sent < 50; sent += 1) {
      answers.push(await askWith(bindings, `${path}/events`, bearer(flooding.token)));
    }
    const others = [
      await askWith(bindings, path, bearer(sibling.token)),
      await askWith(bindings, `/v1/sessions/${other.id}`, bearer(neighbour.token)),
      await askWith(bindings, path, bearer(call.key)),
    ];

    expect(answers).toEqual([200, 200, 200, ...Array<string>(47).fill(TOKEN)]);
    expect(others).toEqual([200, 200, 200]);
    // Three of the one token, and one of each other app; and the key's, which is counted apart.
    expect(tenant.counted()).toEqual([5, 1]);
  });

  test("is told so in a problem", async () => {
    const { call, path } = await openSession();
    const { token } = await mintToken(path, call);
    const bindings = { ...env, TOKEN_LIMIT: brake(0) };

    const response = await app.request(path, bearer(token), bindings);

    expect([response.status, response.headers.get("Retry-After"), await response.json()]).toEqual([
      429,
      "10",
      expect.objectContaining({
        code: "rate_limited",
        detail:
          "this client token has sent too many requests, more than 1000 in 10 seconds; nothing was done, try again in 10 seconds",
      }),
    ]);
  });

  test("is stopped before its session is asked whether it was revoked", async () => {
    const { call, path } = await openSession();
    const { token } = await mintToken(path, call);
    const SESSION = {
      getByName: () => {
        throw new Error("the object was asked");
      },
    } as unknown as Env["SESSION"];

    expect(await askWith({ TOKEN_LIMIT: brake(0), SESSION }, path, bearer(token))).toBe(TOKEN);
  });
});

test("a tenant's apps are stopped together, and its own servers go on", async () => {
  const { call, path } = await openSession();
  const tokens = await Promise.all(Array.from({ length: 4 }, () => mintToken(path, call)));
  const bindings = { TENANT_LIMIT: brake(3) };

  const answers = [];
  for (const { token } of tokens) answers.push(await askWith(bindings, path, bearer(token)));
  answers.push(await askWith(bindings, path, bearer(call.key)));

  expect(answers).toEqual([200, 200, 200, TENANT, 200]);
});

test("a callback address that is asked too often stops itself, and no other one", async () => {
  const { tenantId, session } = await openSession();
  const addressOf = async (message_id: string) => {
    const claims = {
      tenant_id: tenantId,
      session_id: session.id,
      reply_id: `rep_${"0".repeat(26)}`,
      tool_call_ids: ["call_1"],
      kind: "permission" as const,
      message_id,
      exp: Date.now() + 600_000,
    };
    return `/v1/callbacks/${await signToken("callback", claims, env.KEY_PEPPER)}`;
  };
  const [leaked, other] = [await addressOf("whm_1"), await addressOf("whm_2")];
  const bindings = { TOKEN_LIMIT: brake(2) };

  const answers = [];
  for (const address of [leaked, leaked, leaked, other]) {
    answers.push(await askWith(bindings, address));
  }

  expect(answers).toEqual([404, 404, TOKEN, 404]);
});

test("an inbound endpoint whose webhooks are sent again and again stops itself, and not its tenant", async () => {
  const { call, path, session } = await openSession();
  const made = { ...call, json: { name: "Till" } };
  const { json } = await ask<CreatedInboundEndpoint>("POST", "/v1/inbound-endpoints", made);
  const body = JSON.stringify({
    session_id: session.id,
    event: { type: "USER_INTERRUPT", reply_id: `rep_${"0".repeat(26)}` },
  });
  const timestamp = Math.floor(Date.now() / 1_000);
  const keys = parseWebhookSecret(json.secret) ?? [];
  const headers = {
    "Content-Type": "application/json",
    "webhook-id": "msg_1",
    "webhook-timestamp": String(timestamp),
    "webhook-signature": await signWebhook(keys, { id: "msg_1", timestamp, body }),
  };
  const tenant = brake(100);
  const bindings = { TOKEN_LIMIT: brake(2), TENANT_LIMIT: tenant };

  const answers = [];
  for (let sent = 0; sent < 5; sent += 1) {
    const request = { method: "POST", headers, body };
    answers.push(await askWith(bindings, `/v1/inbound/${json.id}`, request));
  }
  answers.push(await askWith(bindings, path, bearer(call.key)));

  expect(answers).toEqual([202, 409, TOKEN, TOKEN, TOKEN, 200]);
  expect(tenant.counted()).toEqual([3]);
});
