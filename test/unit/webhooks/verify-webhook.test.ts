// Both directions against the standard's own package.
import { Webhook } from "standardwebhooks";
import { describe, expect, test } from "vitest";

import {
  makeWebhookSecret,
  parseWebhookSecret,
  signWebhook,
  verifyWebhook,
} from "../../../webhooks/webhook-signature.ts";

const NOW = Date.UTC(2026, 10, 21, 9, 30);
const AT = NOW / 1_000;
const BODY = '{"session_id":"ses_1","text":"Grüße 👋"}';
const [current, old, foreign] = [makeWebhookSecret(), makeWebhookSecret(), makeWebhookSecret()];

function keysOf(...secrets: string[]): readonly Uint8Array[] {
  return secrets.flatMap((secret) => parseWebhookSecret(secret) ?? []);
}

function sign(secret: string, id = "msg_1", seconds = AT, body = BODY) {
  const signature = new Webhook(secret).sign(id, new Date(seconds * 1_000), body);
  return { id, timestamp: String(seconds), signature, body };
}

describe("verifyWebhook", () => {
  test("believes what the standard's package signs, with either live secret", async () => {
    const keys = keysOf(current, old);

    expect([
      await verifyWebhook(keys, sign(current), NOW),
      await verifyWebhook(keys, sign(old), NOW),
      await verifyWebhook(keys, sign(foreign), NOW),
    ]).toEqual(["valid", "valid", "invalid"]);
  });

  test("finds the one that fits among several signatures and versions", async () => {
    const received = sign(current);
    const others = `v1a,${"A".repeat(86)}== v2,x ${sign(foreign).signature}`;

    expect([
      await verifyWebhook(
        keysOf(current),
        { ...received, signature: `${others} ${received.signature}` },
        NOW,
      ),
      await verifyWebhook(keysOf(current), { ...received, signature: others }, NOW),
    ]).toEqual(["valid", "invalid"]);
  });

  test("holds the timestamp against the clock, five minutes each way", async () => {
    const offsets = [-301, -300, 0, 300, 301];
    const verdicts = [];
    for (const offset of offsets) {
      verdicts.push(await verifyWebhook(keysOf(current), sign(current, "msg_1", AT + offset), NOW));
    }

    expect(verdicts).toEqual(["untimely", "valid", "valid", "valid", "untimely"]);
  });

  test.each([
    ["another id", { id: "msg_2" }],
    ["no id", { id: "" }],
    ["another time", { timestamp: String(AT + 1) }],
    ["a time with a sign", { timestamp: `+${AT}` }],
    ["a time with a fraction", { timestamp: `${AT}.0` }],
    ["no time", { timestamp: "" }],
    ["another body", { body: BODY.replace("ses_1", "ses_2") }],
    ["a body with a space more", { body: `${BODY} ` }],
    ["no signature", { signature: "" }],
    ["a signature without its version", { signature: sign(current).signature.slice(3) }],
    ["a signature of another version", { signature: sign(current).signature.replace("v1", "v2") }],
    ["a shorter signature", { signature: `${sign(current).signature.slice(0, -2)}=` }],
  ])("does not believe %s", async (_, change) => {
    expect(await verifyWebhook(keysOf(current), { ...sign(current), ...change }, NOW)).toBe(
      "invalid",
    );
  });

  test("believes nothing without a key", async () => {
    expect(await verifyWebhook([], sign(current), NOW)).toBe("invalid");
  });

  test("and what it signs itself is believed by the standard's package", async () => {
    const seconds = Math.floor(Date.now() / 1_000);
    const signature = await signWebhook(keysOf(current), {
      id: "m",
      timestamp: seconds,
      body: BODY,
    });
    const headers = {
      "webhook-id": "m",
      "webhook-timestamp": String(seconds),
      "webhook-signature": signature,
    };

    expect(new Webhook(current).verify(BODY, headers)).toEqual(JSON.parse(BODY));
  });
});
