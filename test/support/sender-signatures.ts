// Deliveries as other systems sign them, made with another implementation of HMAC than the platform's.
import { createHmac } from "node:crypto";

import type { WebhookForm } from "../../protocol/triggers/contract.ts";

export const SENDER_SECRETS: Readonly<Record<WebhookForm, string>> = {
  standard: `whsec_${Buffer.from("a secret of twenty-four and more bytes").toString("base64")}`,
  github: "It's a Secret to Everybody",
  stripe: "whsec_test_51kaj2vm5p8r2t6v9x3z7b1d4f",
  slack: "8f742231b10e8888abcd99yyyzzz85a5",
};

export interface SignedDelivery {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

interface Signing {
  readonly id: string;
  readonly secret?: string;
  /** Unix seconds. */
  readonly seconds: number;
  /** JSON; of Stripe and Slack it has the id. */
  readonly payload?: object;
  readonly contentType?: string;
  /** In place of the payload's JSON. */
  readonly body?: string;
}

/** A delivery in the form, as its sender makes it. */
export function signDelivery(
  form: WebhookForm,
  {
    id,
    seconds,
    secret = SENDER_SECRETS[form],
    payload = {},
    contentType = "application/json",
    body = JSON.stringify(withId(form, id, payload)),
  }: Signing,
): SignedDelivery {
  return { headers: { "content-type": contentType, ...headersOf() }, body };

  function headersOf(): Readonly<Record<string, string>> {
    switch (form) {
      case "standard": {
        const key = Buffer.from(secret.slice("whsec_".length), "base64");
        const signature = hmac(key, `${id}.${seconds}.${body}`).digest("base64");
        return {
          "webhook-id": id,
          "webhook-timestamp": String(seconds),
          "webhook-signature": `v1,${signature}`,
        };
      }
      case "github":
        return {
          "X-GitHub-Event": "issues",
          "X-GitHub-Delivery": id,
          "X-Hub-Signature-256": `sha256=${hmac(secret, body).digest("hex")}`,
        };
      case "stripe": {
        const signature = hmac(secret, `${seconds}.${body}`).digest("hex");
        return { "Stripe-Signature": `t=${seconds},v1=${signature}` };
      }
      case "slack":
        return {
          "X-Slack-Request-Timestamp": String(seconds),
          "X-Slack-Signature": `v0=${hmac(secret, `v0:${seconds}:${body}`).digest("hex")}`,
        };
    }
  }
}

function withId(form: WebhookForm, id: string, payload: object): object {
  if (form === "stripe") return { id, ...payload };
  return form === "slack" ? { event_id: id, ...payload } : payload;
}

function hmac(key: string | Buffer, content: string) {
  return createHmac("sha256", key).update(content);
}
