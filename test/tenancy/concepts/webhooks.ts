// Webhook endpoints and their deliveries.
import { DEFAULT_WEBHOOK_ENDPOINTS } from "../../../protocol/quotas/limits.ts";
import type { CreatedWebhookEndpoint } from "../../../protocol/webhooks/contract.ts";
import { makeTenant } from "../../worker/support/api.ts";
import { countListed } from "../../worker/support/count-listed.ts";
import type { DocumentedApi } from "../../worker/support/documented-api.ts";
import type { KeyedRequests } from "../../worker/support/keyed-request.ts";
import { secretRotation } from "../../worker/support/secret-rotation.ts";
import { makeEndpoint, makeShop, readDeliveries } from "../../worker/webhooks/endpoint.ts";
import { NEWEST, pageToken } from "../places.ts";
import type { ConceptRows } from "../row.ts";

export const ROWS = {
  createWebhookEndpoint: {
    answers: 201,
    body: ({ word }) => ({ url: `https://${word}.example/`, events: ["*"] }),
    shows: [],
    stores: ["+audit_entries", "+webhook_endpoints"],
    refusedBy: ["webhook_endpoints", "database_bytes"],
  },
  listWebhookEndpoints: { answers: 200, places: [pageToken(`whk_${NEWEST}`)], shows: ["endpoint"] },
  readWebhookEndpoint: { answers: 200, shows: ["endpoint"] },
  updateWebhookEndpoint: {
    answers: 200,
    body: ({ word }) => ({ description: `New ${word}` }),
    shows: [],
    stores: ["+audit_entries", "~webhook_endpoints"],
    refusedBy: ["database_bytes"],
  },
  deleteWebhookEndpoint: {
    answers: 204,
    isSilent: true,
    shows: [],
    stores: ["+audit_entries", "-webhook_deliveries", "-webhook_endpoints"],
  },
  rotateWebhookSecret: {
    answers: 200,
    body: () => ({}),
    shows: ["endpoint"],
    stores: ["+audit_entries", "~webhook_endpoints"],
    refusedBy: ["database_bytes"],
  },
  testWebhookEndpoint: {
    answers: 202,
    isSilent: true,
    shows: [],
    stores: ["+audit_entries", "+webhook_attempts", "+webhook_deliveries"],
    refusedBy: ["database_bytes"],
  },
  listWebhookDeliveries: { answers: 200, isSilent: true, shows: [] },
  readWebhookDelivery: { answers: 200, shows: ["user"] },
  redeliverWebhook: {
    answers: 202,
    isSilent: true,
    shows: [],
    stores: ["+webhook_attempts", "~webhook_deliveries"],
  },
} satisfies ConceptRows;

export const KEYED = {
  async createWebhookEndpoint() {
    const { call } = await makeTenant();
    return {
      path: "/v1/webhook-endpoints",
      call,
      json: { url: "https://shop.example/", events: ["reply.*"] },
      other: { url: "https://shop.example/all", events: ["*"] },
      secrets: ["secret"],
      count: () => countListed("/v1/webhook-endpoints", call),
    };
  },

  async rotateWebhookSecret() {
    const { call } = await makeTenant();
    const { id } = await makeEndpoint(call);
    return {
      path: `/v1/webhook-endpoints/${id}/rotate-secret`,
      call,
      ...(await secretRotation("webhook_endpoints", id)),
    };
  },

  async testWebhookEndpoint() {
    const shop = await makeShop();
    return {
      path: `/v1/webhook-endpoints/${shop.endpoint.id}/test`,
      call: shop.call,
      bindings: shop.bindings,
      count: async () => (await readDeliveries(shop.call, shop.endpoint.id)).length,
    };
  },

  async redeliverWebhook() {
    const shop = await makeShop();
    await shop.publish();
    await shop.consume(shop.held.take());
    const [delivery] = await readDeliveries(shop.call, shop.endpoint.id);
    return {
      path: `/v1/webhook-endpoints/${shop.endpoint.id}/deliveries/${delivery!.id}/redeliver`,
      call: shop.call,
      bindings: shop.bindings,
      count: async () => shop.held.sent.length,
    };
  },
} satisfies KeyedRequests;

export async function askAll(api: DocumentedApi): Promise<void> {
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
