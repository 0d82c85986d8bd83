// Signed requests, when they come too often, and while a part of the platform is away.
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";

import type { CreatedInboundEndpoint } from "../../../protocol/inbound/contract.ts";
import { signToken } from "../../../storage/secrets/signed-token.ts";
import { parseWebhookSecret, signWebhook } from "../../../webhooks/webhook-signature.ts";
import { app } from "../../../worker/app.ts";
import { ask } from "../support/api.ts";
import { mintToken } from "../support/client-token.ts";
import { confirmation, openParked } from "../support/parked-session.ts";
import { LIMIT, smallLimit } from "../support/small-limit.ts";

beforeEach(() => {
  const log = vi.spyOn(console, "error").mockImplementation(() => {});
  onTestFinished(() => log.mockRestore());
});

let addresses = 0;
function freshAddress(): Record<string, string> {
  addresses += 1;
  return { "CF-Connecting-IP": `203.0.113.${addresses}` };
}

function bearer(key: string): Record<string, string> {
  return { Authorization: `Bearer ${key}` };
}

function down(): never {
  throw new Error("D1_ERROR: Network connection lost.");
}
function fail(): never {
  throw new Error("the object is away");
}
const NO_DATABASE = { DB: new Proxy(env.DB, { get: () => down }) };
const NO_OBJECTS = { SESSION: { getByName: fail } as unknown as Env["SESSION"] };

/** Asks the app with bindings of the test's choice. @returns The code of the problem, or the status. */
async function askWith(bindings: Partial<Env>, path: string, request: RequestInit = {}) {
  const response = await app.request(path, request, { ...env, ...bindings });
  const text = await response.text();
  const limit = response.headers.get("RateLimit")?.split(";")[0];
  const { code } = (text.startsWith("{") ? JSON.parse(text) : {}) as { code?: string };
  return limit ?? code ?? response.status;
}

async function openDoors() {
  const parked = await openParked();
  const { call, path, session, reply, pending, tenantId } = parked;
  const { token } = await mintToken(path, call);
  const claims = {
    tenant_id: tenantId,
    session_id: session.id,
    reply_id: reply.id,
    tool_call_ids: pending.map(({ tool_call }) => tool_call.id),
    kind: "permission" as const,
    message_id: "whm_1",
    exp: Date.now() + 60_000,
  };
  const callback = `/v1/callbacks/${await signToken("callback", claims, env.KEY_PEPPER)}`;
  const { json } = await ask<CreatedInboundEndpoint>("POST", "/v1/inbound-endpoints", {
    ...call,
    json: { name: "Label printer" },
  });
  const event = confirmation(reply, pending, { confirmed: false });
  return { path, token, callback, inbound: await sign(json, { session_id: session.id, event }) };
}

async function sign({ id: endpointId, secret }: CreatedInboundEndpoint, message: object) {
  const body = JSON.stringify(message);
  const timestamp = Math.floor(Date.now() / 1_000);
  const keys = parseWebhookSecret(secret) ?? [];
  const headers = {
    "Content-Type": "application/json",
    "webhook-id": "msg_1",
    "webhook-timestamp": String(timestamp),
    "webhook-signature": await signWebhook(keys, { id: "msg_1", timestamp, body }),
  };
  return { path: `/v1/inbound/${endpointId}`, request: { method: "POST", headers, body } };
}

describe("the brakes", () => {
  test("count an app and a callback with their tenant", async () => {
    const { path, token, callback } = await openDoors();
    const bindings = { TENANT_LIMIT: smallLimit() };

    const answers = [];
    for (let sent = 0; sent < LIMIT - 1; sent += 1) {
      answers.push(await askWith(bindings, path, { headers: bearer(token) }));
    }
    answers.push(await askWith(bindings, callback));
    answers.push(await askWith(bindings, callback));
    answers.push(await askWith(bindings, path, { headers: bearer(token) }));

    expect(answers).toEqual([200, 200, 200, '"tenant"', '"tenant"']);
  });

  test.each(["client token", "callback address"])(
    "stop an address that makes a %s up, and no good one from there",
    async (kind) => {
      const { path, token, callback } = await openDoors();
      const bindings = { ADDRESS_LIMIT: smallLimit() };
      const address = freshAddress();
      const askAs = (text: string) =>
        kind === "client token"
          ? askWith(bindings, path, { headers: { ...address, ...bearer(`${token}${text}`) } })
          : askWith(bindings, `${callback}${text}`, { headers: address });

      const answers = [];
      for (const text of ["A", "B", "C", "D", ""]) answers.push(await askAs(text));

      expect(answers).toEqual([...Array<string>(LIMIT).fill("unauthenticated"), '"address"', 200]);
    },
  );

  test("stop an address that sends too many webhooks, before anything is looked up", async () => {
    const { inbound } = await openDoors();
    const headers = { ...freshAddress(), "webhook-id": "msg_1" };
    const bindings = { ADDRESS_LIMIT: smallLimit(), ...NO_DATABASE };

    const answers = [];
    for (let sent = 0; sent <= LIMIT; sent += 1) {
      answers.push(await askWith(bindings, inbound.path, { method: "POST", headers }));
    }

    expect(answers).toEqual([...Array<string>(LIMIT).fill("signature_invalid"), '"address"']);
  });
});

describe("what is not signed", () => {
  test("asks nothing of an object or of D1", async () => {
    const { path, token, callback } = await openDoors();
    const bindings = { ...NO_DATABASE, ...NO_OBJECTS };

    expect([
      await askWith(bindings, path, { headers: bearer(`${token}A`) }),
      await askWith(bindings, `${path}/events?token=tk_${token.slice(3)}`),
      await askWith(bindings, `${callback}A`),
    ]).toEqual(["unauthenticated", "unauthenticated", "unauthenticated"]);
  });
});

describe("while D1 is down", () => {
  test("apps and callbacks go on, and a webhook is told to come again", async () => {
    const { path, token, callback, inbound } = await openDoors();

    expect([
      await askWith(NO_DATABASE, path, { headers: bearer(token) }),
      await askWith(NO_DATABASE, callback),
      await askWith(NO_DATABASE, inbound.path, inbound.request),
      await askWith({}, inbound.path, inbound.request),
    ]).toEqual([200, 200, "unavailable", 202]);
  });
});

describe("a webhook whose session fails", () => {
  test("may come again under its id", async () => {
    const { inbound } = await openDoors();

    expect([
      await askWith(NO_OBJECTS, inbound.path, inbound.request),
      await askWith({}, inbound.path, inbound.request),
      await askWith({}, inbound.path, inbound.request),
    ]).toEqual(["internal", 202, "webhook_replayed"]);
  });
});
