// Response schemas of webhook endpoints and deliveries, for the OpenAPI document.
import { pageOf } from "../responses.ts";
import { WebhookDeliverySchema } from "./webhook-deliveries.ts";
import { WebhookEndpointSchema } from "./contract.ts";

export const WebhookEndpointPageSchema = pageOf(WebhookEndpointSchema);
export const WebhookDeliveryPageSchema = pageOf(WebhookDeliverySchema);
