// Changes by a tenant while an attempt is under way, and the meaning of the attempt's end for the endpoint.
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";

import { claimDelivery } from "../../../storage/webhooks/claim-delivery.ts";
import { finishWebhook } from "../../../storage/webhooks/webhook-outcome.ts";
import { WEBHOOK_FAILING_MS } from "../../../protocol/webhooks/limits.ts";
import { ask } from "../support/api.ts";
import type { Shop } from "./endpoint.ts";
import { makeShop, readDeliveries, readEndpoint } from "./endpoint.ts";

/** Publishes a message and claims its first attempt. @returns how to end it. */
async function beginAttempt(shop: Shop) {
  await shop.publish();
  const [job] = shop.held.take();
  const claim = await claimDelivery(env.DB, job!, Date.now());
  if (claim.kind !== "claimed") throw new Error(claim.kind);
  return async (status: number) =>
    finishWebhook(env.DB, claim.delivery, {
      at: new Date().toISOString(),
      duration_ms: 5,
      status,
      error: `answered ${status}`,
      next_attempt_at: new Date(Date.now() + 5_000).toISOString(),
      isGone: status === 410,
    });
}

function change(shop: Shop, json: object) {
  return ask("PATCH", `/v1/webhook-endpoints/${shop.endpoint.id}`, { ...shop.call, json });
}

describe("an endpoint that got another address while an attempt was under way", () => {
  test.each([410, 500])("is not held responsible for the old one's %d", async (status) => {
    const shop = await makeShop();
    const finish = await beginAttempt(shop);
    await env.DB.prepare("UPDATE webhook_endpoints SET failing_since = ? WHERE id = ?")
      .bind(new Date(Date.now() - 2 * WEBHOOK_FAILING_MS).toISOString(), shop.endpoint.id)
      .run();
    await change(shop, { url: `${shop.endpoint.url}/new` });

    const { disabled } = await finish(status);

    const { disabled: isDisabled, failing_since } = await readEndpoint(shop.call, shop.endpoint.id);
    expect([disabled, isDisabled, failing_since]).toEqual([null, false, null]);
    const [delivery] = await readDeliveries(shop.call, shop.endpoint.id);
    const attempts = delivery!.attempts.map((attempt) => attempt.status);
    expect([delivery!.status, attempts]).toEqual(["pending", [status]]);
  });
});
