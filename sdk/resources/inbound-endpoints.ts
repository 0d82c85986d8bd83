import type {
  CreatedInboundEndpoint,
  InboundEndpoint,
  InboundEndpointCreate,
  InboundSecretRotate,
} from "../../protocol/inbound/contract.ts";
import type { RequestOptions } from "../transport/api-request.ts";
import { collection, type Collection } from "./collection.ts";
import type { Transport } from "../transport/transport.ts";
import { createSecretAt } from "../transport/write-requests.ts";

/** Endpoints to which the tenant's systems post signed events. Only the answer to `create` contains the secret. */
export interface InboundEndpoints extends Omit<
  Collection<InboundEndpoint, InboundEndpointCreate, CreatedInboundEndpoint>,
  "update"
> {
  /** A new secret, returned only here; the old one stays accepted for `overlap_ms`. */
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
