import type {
  ReadWebhookDelivery,
  WebhookDelivery,
  WebhookDeliveryListQuery,
} from "../../protocol/webhooks/webhook-deliveries.ts";
import type {
  CreatedWebhookEndpoint,
  WebhookEndpoint,
  WebhookEndpointCreate,
  WebhookEndpointUpdate,
  WebhookSecretRotate,
  WrittenWebhookEndpoint,
} from "../../protocol/webhooks/contract.ts";
import type { RequestOptions } from "../transport/api-request.ts";
import { collection, type Collection } from "./collection.ts";
import type { ListQuery, Paged } from "../transport/paged.ts";
import type { Transport } from "../transport/transport.ts";
import { createSecretAt } from "../transport/write-requests.ts";

export type DeliveryFilter = Omit<WebhookDeliveryListQuery, "limit" | "page"> & ListQuery;

/** Webhook endpoints. Only the answer to `create` contains the secret. */
export interface WebhookEndpoints extends Omit<
  Collection<WebhookEndpoint, WebhookEndpointCreate, CreatedWebhookEndpoint>,
  "update"
> {
  /** Members that are left out stay unchanged. The answer may have `warnings`. */
  update(
    id: string,
    changes: WebhookEndpointUpdate,
    options?: RequestOptions,
  ): Promise<WrittenWebhookEndpoint>;
  /** A new secret, returned only here; messages are signed with the old one too for `overlap_ms`. */
  rotateSecret(
    id: string,
    rotation?: WebhookSecretRotate,
    options?: RequestOptions,
  ): Promise<CreatedWebhookEndpoint>;
  /** Sends a message of the type `webhook_endpoint.test` to this endpoint alone. */
  test(id: string, options?: RequestOptions): Promise<WebhookDelivery>;
  /** Sent and pending deliveries, newest first. */
  deliveries(id: string, filter?: DeliveryFilter, options?: RequestOptions): Paged<WebhookDelivery>;
  /** One delivery with its attempts. */
  delivery(id: string, deliveryId: string, options?: RequestOptions): Promise<ReadWebhookDelivery>;
  redeliver(id: string, deliveryId: string, options?: RequestOptions): Promise<WebhookDelivery>;
}

export function webhookEndpointsOf(transport: Transport): WebhookEndpoints {
  const deliveriesOf = (id: string) => ["webhook-endpoints", id, "deliveries"];
  return {
    ...collection(transport, "webhook-endpoints"),
    create: (endpoint, options) =>
      createSecretAt(transport, ["webhook-endpoints"], endpoint, options),
    rotateSecret: (id, rotation, options) =>
      createSecretAt(transport, ["webhook-endpoints", id, "rotate-secret"], rotation, options),
    test: (id, options) =>
      transport.call({ ...options, method: "POST", path: ["webhook-endpoints", id, "test"] }),
    deliveries: (id, filter, options) => transport.list(deliveriesOf(id), filter, options),
    delivery: (id, deliveryId, options) =>
      transport.get([...deliveriesOf(id), deliveryId], options),
    redeliver: (id, deliveryId, options) =>
      transport.call({
        ...options,
        method: "POST",
        path: [...deliveriesOf(id), deliveryId, "redeliver"],
      }),
  };
}
