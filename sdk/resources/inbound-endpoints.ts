import type {
  CreatedInboundEndpoint,
  InboundEndpoint,
  InboundEndpointCreate,
  InboundSecretRotate,
} from "../../protocol/api/inbound-endpoints.ts";
import type { RequestOptions } from "../transport/api-request.ts";
import { collection, type Collection } from "./collection.ts";
import type { Transport } from "../transport/transport.ts";
import { createSecretAt } from "../transport/write-requests.ts";

/** Where the tenant's systems post signed events. The answer to `create` holds the secret, which is shown this once. */
export interface InboundEndpoints extends Omit<
  Collection<InboundEndpoint, InboundEndpointCreate, CreatedInboundEndpoint>,
  "update"
> {
  /** A new secret, shown this once; the old one is believed too for `overlap_ms`. */
  rotateSecret(
    id: string,
    rotation?: InboundSecretRotate,
    options?: RequestOptions,
  ): Promise<CreatedInboundEndpoint>;
}

export function inboundEndpointsOf(transport: Transport): InboundEndpoints {
  return {
    ...collection<InboundEndpoint, InboundEndpointCreate, CreatedInboundEndpoint>(
      transport,
      "inbound-endpoints",
    ),
    create: (endpoint, options) =>
      createSecretAt(transport, ["inbound-endpoints"], endpoint, options),
    rotateSecret: (id, rotation, options) =>
      createSecretAt(transport, ["inbound-endpoints", id, "rotate-secret"], rotation, options),
  };
}
