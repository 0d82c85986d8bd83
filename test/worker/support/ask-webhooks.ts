// Asks for what the document says of webhook endpoints and their deliveries.
import { DEFAULT_WEBHOOK_ENDPOINTS } from "../../../protocol/quotas/limits.ts";
import type { CreatedWebhookEndpoint } from "../../../protocol/webhooks/contract.ts";
import { makeEndpoint, makeShop, readDeliveries } from "../webhooks/endpoint.ts";
import type { DocumentedApi } from "./documented-api.ts";

export async function askWebhooks(api: DocumentedApi): Promise<void> {
  const shop = await makeShop();
  const { call } = shop;
  await shop.publish();
  await shop.consume(shop.held.take());

  const json = { url: "https://shop.example/", events: ["reply.*"], description: "Shop" };
  const made = await api.ask<CreatedWebhookEndpoint>(
    "createWebhookEndpoint",
    {},
    { ...call, json },
  );
  const place = { endpoint_id: made.json.id };
  await api.ask("listWebhookEndpoints", { query: "?limit=1" }, call);
  await api.ask("readWebhookEndpoint", place, call);
  await api.ask("updateWebhookEndpoint", place, { ...call, json: { disabled: true } });
  await api.ask("rotateWebhookSecret", place, { ...call, json: { overlap_ms: 1_000 } });
  await api.ask("deleteWebhookEndpoint", place, call);

  const [delivery] = await readDeliveries(call, shop.endpoint.id);
  const own = { endpoint_id: shop.endpoint.id, delivery_id: delivery!.id };
  await api.ask("listWebhookDeliveries", { ...own, query: "?status=delivered&limit=1" }, call);
  await api.ask("readWebhookDelivery", own, call);
  await api.ask("redeliverWebhook", own, call);
  await api.ask("testWebhookEndpoint", own, call);
  await api.ask("updateWebhookEndpoint", own, { ...call, json: { disabled: true } });
  await api.ask("redeliverWebhook", own, call);
  await api.ask("testWebhookEndpoint", own, call);

  for (let count = 1; count < DEFAULT_WEBHOOK_ENDPOINTS; count += 1) await makeEndpoint(call);
  await api.ask("createWebhookEndpoint", {}, { ...call, json });
}
