// Webhooks as an app receives and sends them, held against the standard's own package.
import { randomBytes } from "node:crypto";

import { Webhook } from "standardwebhooks";
import { describe, expect, it } from "vitest";

import { WebhookVerificationError, webhooks } from "../../sdk/index.ts";
import { startLoopbackServer } from "../support/loopback-server.ts";

const BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const SECRET = `whsec_${randomBytes(32).toString("base64")}`;
const OTHER = `whsec_${randomBytes(24).toString("base64")}`;
const EVENT = {
  type: "session.created",
  timestamp: "2026-11-21T10:00:00.000Z",
  data: { session_id: "ses_1", agent_id: "agt_1", end_user_id: "Käthe 👋" },
};
const BODY = JSON.stringify(EVENT);

/** Signed by the standard's package. */
function headersOf(body = BODY, { secret = SECRET, ageSeconds = 0 } = {}) {
  const sentAt = new Date(Date.now() - ageSeconds * 1_000);
  return {
    "webhook-id": "msg_1",
    "webhook-timestamp": String(Math.floor(sentAt.getTime() / 1_000)),
    "webhook-signature": new Webhook(secret).sign("msg_1", sentAt, body),
  };
}

async function reasonOf(unwrapping: Promise<unknown>): Promise<unknown> {
  const error = await unwrapping.catch((thrown: unknown) => thrown);
  return WebhookVerificationError.isInstance(error) ? error.reason : error;
}

describe("webhooks.unwrap", () => {
  it.each([
    ["a text", BODY],
    ["bytes", new TextEncoder().encode(BODY)],
    ["a part of a buffer", Buffer.from(` ${BODY}`).subarray(1)],
    ["an ArrayBuffer", new TextEncoder().encode(BODY).buffer],
  ])("gives the event of a body that is %s", async (_, body) => {
    expect(await webhooks.unwrap(body, headersOf(), SECRET)).toEqual(EVENT);
  });

  it("reads the headers of fetch, and plain ones in any case", async () => {
    const headers = headersOf();
    const upper = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toUpperCase(), [value]]),
    );

    expect(await webhooks.unwrap(BODY, new Headers(headers), SECRET)).toEqual(EVENT);
    expect(await webhooks.unwrap(BODY, upper, SECRET)).toEqual(EVENT);
  });

  it("reads what a Node server received", async () => {
    const received: unknown[] = [];
    const server = await startLoopbackServer(async ({ text, headers }, response) => {
      received.push(await webhooks.unwrap(text, headers, SECRET));
      response.end();
    });

    await fetch(server.url, { method: "POST", headers: headersOf(), body: BODY });
    await server.stop();

    expect(received).toEqual([EVENT]);
  });

  it.each([
    ["in a list", [OTHER, SECRET]],
    ["with a space between", `${OTHER} ${SECRET}`],
  ])("takes any of the secrets that it is given %s", async (_, secrets) => {
    expect(await webhooks.unwrap(BODY, headersOf(), secrets)).toEqual(EVENT);
    expect(await reasonOf(webhooks.unwrap(BODY, headersOf(), OTHER))).toBe("signature_mismatch");
  });

  it("takes any of the signatures that fit, and skips versions that it does not know", async () => {
    const headers = headersOf();
    const old = headersOf(BODY, { secret: OTHER })["webhook-signature"];
    const signatures = `v1a,AAAA ${old} v1,%% ${headers["webhook-signature"]}`;

    const event = webhooks.unwrap(BODY, { ...headers, "webhook-signature": signatures }, SECRET);

    expect(await event).toEqual(EVENT);
  });

  it.each([
    ["an id", "webhook-id"],
    ["a timestamp", "webhook-timestamp"],
    ["a signature", "webhook-signature"],
  ] as const)("refuses a webhook without %s", async (_, name) => {
    const headers = { ...headersOf(), [name]: undefined };

    expect(await reasonOf(webhooks.unwrap(BODY, headers, SECRET))).toBe("headers_missing");
  });

  it.each([
    ["the body", BODY.replace("ses_1", "ses_2"), {}],
    ["the id", BODY, { "webhook-id": "msg_2" }],
    ["the version", BODY, { "webhook-signature": "v2" }],
  ])("refuses another %s than the one that was signed", async (_, body, headers) => {
    const changed = { ...headersOf(), ...headers };

    expect(await reasonOf(webhooks.unwrap(body, changed, SECRET))).toBe("signature_mismatch");
  });

  it("refuses what the standard's package refuses, at every changed character", async () => {
    const { "webhook-signature": signature, ...headers } = headersOf();
    for (let at = 3; at < signature.length - 1; at += 1) {
      const other = signature[at] === "A" ? "B" : "A";
      const changed = signature.slice(0, at) + other + signature.slice(at + 1);
      const all = { ...headers, "webhook-signature": changed };

      expect(() => new Webhook(SECRET).verify(BODY, all)).toThrow();
      expect(await reasonOf(webhooks.unwrap(BODY, all, SECRET))).toBe("signature_mismatch");
    }
  });

  it("refuses the same bytes in another spelling, as the standard's package does", async () => {
    const headers = headersOf();
    const signature = headers["webhook-signature"];
    const last = BASE64.indexOf(signature.at(-2)!);
    const changed = `${signature.slice(0, -2)}${BASE64[last + 1]}=`;
    const all = { ...headers, "webhook-signature": changed };

    expect(() => new Webhook(SECRET).verify(BODY, all)).toThrow();
    expect(await reasonOf(webhooks.unwrap(BODY, all, SECRET))).toBe("signature_mismatch");
  });

  it.each([-330, 330])("refuses a timestamp %i seconds from now", async (ageSeconds) => {
    const headers = headersOf(BODY, { ageSeconds });

    expect(await reasonOf(webhooks.unwrap(BODY, headers, SECRET))).toBe("timestamp_out_of_range");
    const options = { toleranceSeconds: 400 };
    expect(await webhooks.unwrap(BODY, headers, SECRET, options)).toEqual(EVENT);
  });

  it.each(["soon", "", "1e9", "-5"])("refuses the timestamp %o", async (timestamp) => {
    const headers = { ...headersOf(), "webhook-timestamp": timestamp };

    expect(await reasonOf(webhooks.unwrap(BODY, headers, SECRET))).toMatch(
      timestamp ? "timestamp_out_of_range" : "headers_missing",
    );
  });

  it("says so when a signed body is no JSON", async () => {
    expect(await reasonOf(webhooks.unwrap("Hello", headersOf("Hello"), SECRET))).toBe(
      "body_not_json",
    );
  });

  it.each(["", "secret", "whsec_", "whsec_%%%"])(
    "does not take %o for a secret",
    async (secret) => {
      await expect(webhooks.unwrap(BODY, headersOf(), secret)).rejects.toThrow(TypeError);
    },
  );

  it("does not take a parsed body", async () => {
    const parsed = EVENT as unknown as string;

    await expect(webhooks.unwrap(parsed, headersOf(), SECRET)).rejects.toThrow(TypeError);
  });
});

describe("webhooks.sign", () => {
  it("signs what the standard's package verifies", async () => {
    const headers = await webhooks.sign(BODY, SECRET);

    expect(new Webhook(SECRET).verify(BODY, headers)).toEqual(EVENT);
  });

  it("keeps the id that it is given, and makes a fresh one for each message without", async () => {
    const given = await webhooks.sign(BODY, SECRET, { id: "msg_7" });
    const ids = new Set([
      (await webhooks.sign(BODY, SECRET))["webhook-id"],
      (await webhooks.sign(BODY, SECRET))["webhook-id"],
    ]);

    expect([given["webhook-id"], ids.size]).toEqual(["msg_7", 2]);
  });
});
