// Webhooks where Workers run: another tenant's Worker would receive and send them like this.
import { expect, test } from "vitest";

import { WebhookVerificationError, webhooks } from "../../../sdk/index.ts";

const SECRET = `whsec_${btoa("0123456789abcdef0123456789abcdef")}`;

test("a Worker unwraps what was signed with its secret, and nothing else", async () => {
  const event = { type: "session.deleted", timestamp: "T", data: { session_id: "ses_1" } };
  const body = JSON.stringify(event);
  const headers = await webhooks.sign(body, SECRET);
  const request = new Request("https://worker.test", { method: "POST", headers, body });

  const forged = webhooks
    .unwrap(`${body} `, request.headers, SECRET)
    .catch((error: unknown) => error);

  expect(await webhooks.unwrap(await request.arrayBuffer(), request.headers, SECRET)).toEqual(
    event,
  );
  expect(WebhookVerificationError.isInstance(await forged)).toBe(true);
});
