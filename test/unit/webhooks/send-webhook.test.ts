import { createServer, type Server } from "node:net";

import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { createOutgoing } from "../../../outgoing/outgoing.ts";
import { sendWebhook } from "../../../webhooks/send-webhook.ts";
import { startWebhookReceiver, type WebhookReceiver } from "../../support/webhook-receiver.ts";

const outgoing = createOutgoing({ environment: "local", fetch });
const SECRETS = [
  "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
  "whsec_plJ3nmyCDGBKInavdOK15jsl0123456789AB",
];
const BODY =
  '{"type":"reply.completed","timestamp":"2026-11-21T09:30:00.000Z","data":{"é":"\\u2028"}}';

let receiver: WebhookReceiver;
/** Begins an answer and never ends it. */
let endless: Server;

beforeAll(async () => {
  receiver = await startWebhookReceiver();
  endless = createServer((socket) => {
    socket.on("error", () => {});
    socket.write("HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\n\r\n");
    socket.write("x".repeat(100_000));
  });
  await new Promise<void>((resolve) => endless.listen(0, "127.0.0.1", resolve));
});
afterAll(async () => {
  await receiver.stop();
  endless.close();
});

function post(url: string, secrets = SECRETS.slice(0, 1), timeoutMs = 60_000) {
  const message = { url, id: "whm_1", body: BODY, secrets };
  return sendWebhook(message, outgoing, { nowMs: Date.now(), timeoutMs });
}

describe("sendWebhook", () => {
  it.each([
    ["one secret", SECRETS.slice(0, 1)],
    ["two secrets", SECRETS],
  ])("signs with %s as the standard's own library reads it", async (name, secrets) => {
    const path = `/signed-${secrets.length}/200`;
    const { status, error } = await post(receiver.url + path, secrets);

    const { text, headers: sent } = receiver.received(path)[0]!;
    const headers = sent as Record<string, string>;
    expect([name, status, error, text]).toEqual([name, 200, null, BODY]);
    expect(secrets.map((secret) => new Webhook(secret).verify(text, headers))).toEqual(
      secrets.map(() => JSON.parse(BODY)),
    );
    expect(() => new Webhook(SECRETS[0]!).verify(`${text} `, headers)).toThrow("signature");
  });

  it.each([
    ["301", "answered 301: redirects are not followed"],
    ["307", "answered 307: redirects are not followed"],
    ["410", "answered 410: the receiver is gone for good"],
    ["500", "answered 500"],
  ])("counts %s as a failure", async (answer, error) => {
    expect(await post(`${receiver.url}/failing/${answer}`)).toMatchObject({
      status: Number(answer),
      error,
    });
    expect(receiver.received("/elsewhere/200")).toEqual([]);
  });

  it("gives up on a receiver that does not answer", async () => {
    expect(await post(`${receiver.url}/silent/hang`, SECRETS, 200)).toMatchObject({
      status: null,
      error: "no answer within 0.2 seconds",
    });
  });

  it("does not wait for a body that never ends", async () => {
    const address = endless.address() as { port: number };

    expect(await post(`http://127.0.0.1:${address.port}/`)).toMatchObject({
      status: 200,
      error: null,
    });
  });

  it.each([
    [
      "https://user:secret-word@shop.example/",
      "the address holds a user name or a password; send credentials in a header",
    ],
    [
      "http://shop.example/secret-word",
      "plain http:// is allowed to this machine only; use https://",
    ],
    ["http://127.0.0.1:1/secret-word", "the connection failed"],
  ])("names no part of the address in its reason: %s", async (url, error) => {
    expect(await post(url)).toMatchObject({ status: null, error });
  });
});
