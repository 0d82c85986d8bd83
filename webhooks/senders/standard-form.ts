// Standard Webhooks: the id and the time of a delivery are signed with its body.
import { makeWebhookSecret, parseWebhookSecret, verifyWebhook } from "../webhook-signature.ts";
import { malformed, readJsonPayload } from "./read-payload.ts";
import type { ReceivedDelivery, SenderForm } from "./sender-form.ts";

export const STANDARD_FORM: SenderForm = {
  findSecretProblem(secret) {
    const isOne = !/\s/.test(secret.trim()) && parseWebhookSecret(secret) !== null;
    return isOne
      ? null
      : "is no secret of Standard Webhooks: whsec_ and 24 bytes or more in base64";
  },
  makeSecret: makeWebhookSecret,
  async verify(delivery, secrets, nowMs) {
    const { headers, text } = delivery;
    const keys = secrets.flatMap((secret) => parseWebhookSecret(secret) ?? []);
    const type = await verifyWebhook(
      keys,
      {
        id: idOf(delivery),
        timestamp: headers.get("webhook-timestamp") ?? "",
        signature: headers.get("webhook-signature") ?? "",
        body: text,
      },
      nowMs,
    );
    return { type };
  },
  read(delivery) {
    const read = readJsonPayload(delivery.text);
    const sender_id = idOf(delivery);
    if (sender_id === "") return malformed("send the header webhook-id");
    return read.type === "malformed" ? read : { type: "event", sender_id, payload: read.payload };
  },
};

function idOf({ headers }: ReceivedDelivery): string {
  return headers.get("webhook-id") ?? "";
}
