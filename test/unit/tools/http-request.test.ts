import { createHmac } from "node:crypto";

import { describe, expect, it } from "vitest";

import { failed, run, serve } from "../../support/call-tool.ts";
import { collect } from "../../support/collect.ts";
import type { RecordedRequest } from "../../support/loopback-server.ts";
import { echo, type ToolServer } from "../../support/tool-server.ts";

const KEY = Buffer.alloc(32, 7);
const NEW_KEY = Buffer.from("a key that replaces the other one");
const secretOf = (key: Buffer) => `whsec_${key.toString("base64")}`;

/** The signature that the receiver of a webhook computes, as Standard Webhooks 1.0 says it. */
function signatureOf({ headers, text }: RecordedRequest, key: Buffer): string {
  const content = `${String(headers["webhook-id"])}.${String(headers["webhook-timestamp"])}.${text}`;
  return `v1,${createHmac("sha256", key).update(content).digest("base64")}`;
}

async function send(server: ToolServer, arrangement: Parameters<typeof run>[1]) {
  await collect(run(`${server.url}/tool`, arrangement));
  const request = server.requests.at(-1);
  if (!request) throw new Error("nothing was sent");
  return request;
}

describe("the signature of an http tool's request", () => {
  const tool = { signing_credential_id: "crd_1" };

  it("is the HMAC of id, timestamp and body that the receiver computes", async () => {
    const server = await serve(echo);

    const beganMs = Date.now();
    const request = await send(server, { tool, secrets: { crd_1: secretOf(KEY) } });

    expect(request.headers["webhook-signature"]).toBe(signatureOf(request, KEY));
    expect(request.headers["webhook-id"]).toBe(request.headers["idempotency-key"]);
    const signedAt = Number(request.headers["webhook-timestamp"]);
    expect(signedAt).toBeGreaterThanOrEqual(Math.floor(beganMs / 1_000));
    expect(signedAt).toBeLessThanOrEqual(Date.now() / 1_000);
  });

  it("is made with both secrets while one replaces the other", async () => {
    const server = await serve(echo);
    const secrets = { crd_1: `${secretOf(NEW_KEY)} ${secretOf(KEY)}` };

    const request = await send(server, { tool, secrets });

    expect(request.headers["webhook-signature"]).toBe(
      `${signatureOf(request, NEW_KEY)} ${signatureOf(request, KEY)}`,
    );
  });

  it("is left out where no credential is named; id and timestamp are sent all the same", async () => {
    const request = await send(await serve(echo), { tool_call_id: "a.1/b.2" });

    expect(request.headers).toMatchObject({
      "webhook-id": "ses_1:a%2E1%2Fb%2E2",
      "webhook-timestamp": expect.stringMatching(/^\d{10}$/),
    });
    expect(request.headers["webhook-signature"]).toBe(undefined);
  });

  it("has the same id for the same call, whatever is called", async () => {
    const server = await serve(echo);

    const first = await send(server, { tool, secrets: { crd_1: secretOf(KEY) } });
    const second = await send(server, { tool, secrets: { crd_1: secretOf(NEW_KEY) } });

    expect(second.headers["webhook-id"]).toBe(first.headers["webhook-id"]);
    expect(second.headers["webhook-signature"]).not.toBe(first.headers["webhook-signature"]);
  });

  it("cannot be set by the tool's headers", async () => {
    const headers = { "Webhook-Signature": "v1,forged", "webhook-id": "mine" };

    const request = await send(await serve(echo), { tool: { headers } });

    expect(request.headers["webhook-signature"]).toBe(undefined);
    expect(request.headers["webhook-id"]).toBe("ses_1:call%201%2F%C3%BC");
  });

  it.each([
    ["no whsec_ secret", KEY.toString("base64")],
    ["too short", secretOf(Buffer.alloc(23))],
    ["not base64", "whsec_???"],
    ["empty", "whsec_"],
  ])("is refused, and nothing is sent, when its secret is %s", async (_case, secret) => {
    const server = await serve(echo);
    const chunks = run(`${server.url}/tool`, { tool, secrets: { crd_1: secret } });

    expect(await collect(chunks)).toEqual(
      failed(
        "The credential crd_1 that the tool's signing_credential_id names is no whsec_ secret of 24 bytes or more.",
      ),
    );
    expect(server.requests).toEqual([]);
  });
});

describe("the credential of an http tool", () => {
  const tool = { credential_id: "crd_1" };

  it("is sent as a bearer token", async () => {
    const request = await send(await serve(echo), { tool, secrets: { crd_1: "shop-secret" } });

    expect(request.headers["authorization"]).toBe("Bearer shop-secret");
  });

  it("gives way to an authorization header of the tool", async () => {
    const headers = { AUTHORIZATION: "Basic c2hvcA==" };

    const request = await send(await serve(echo), {
      tool: { ...tool, headers },
      secrets: { crd_1: "shop-secret" },
    });

    expect(request.headers["authorization"]).toBe("Basic c2hvcA==");
  });

  it.each([
    [
      "credential_id",
      {},
      "The credential crd_1 that the tool's credential_id names was deleted; nothing was sent.",
    ],
    [
      "signing_credential_id",
      {},
      "The credential crd_1 that the tool's signing_credential_id names was deleted; nothing was sent.",
    ],
    [
      "credential_id",
      { crd_1: "two\nlines" },
      "The credential crd_1 that the tool's credential_id names cannot be sent in a header.",
    ],
  ])("that cannot be used as %s is an error, and nothing is sent", async (field, secrets, text) => {
    const server = await serve(echo);
    const chunks = run(`${server.url}/tool`, { tool: { [field]: "crd_1" }, secrets });

    expect(await collect(chunks)).toEqual(failed(text));
    expect(server.requests).toEqual([]);
  });

  it("is no matter for an id that is not well-formed text", async () => {
    const request = await send(await serve(echo), { tool_call_id: "\ud800" });

    expect(request.headers["idempotency-key"]).toBe("ses_1:%EF%BF%BD");
  });
});
