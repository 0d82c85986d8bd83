import { encodeBase64 } from "../../protocol/base64.ts";
import { randomId } from "../transport/random-id.ts";
import { importWebhookKeys, webhookContent } from "./webhook-content.ts";

export interface SignOptions {
  /** The same for each attempt of one message, so that it is processed once; a new one when left out. */
  readonly id?: string;
}

/**
 * The headers of a signed POST to an inbound endpoint: send it within five minutes.
 *
 * @param secret The endpoint's secret, `whsec_…`.
 */
export async function signWebhook(
  body: string,
  secret: string,
  { id = randomId("msg") }: SignOptions = {},
): Promise<
  Record<"content-type" | "webhook-id" | "webhook-timestamp" | "webhook-signature", string>
> {
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const content = webhookContent(id, timestamp, new TextEncoder().encode(body));
  const signatures = (await importWebhookKeys(secret)).map(async (key) => {
    const signature = await crypto.subtle.sign("HMAC", key, content);
    return `v1,${encodeBase64(new Uint8Array(signature))}`;
  });
  return {
    "content-type": "application/json",
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": (await Promise.all(signatures)).join(" "),
  };
}
