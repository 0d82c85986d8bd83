import {
  InboundEndpointCreateSchema,
  InboundSecretRotateSchema,
} from "../../protocol/inbound/contract.ts";
import type { InboundEndpoint } from "../../protocol/inbound/contract.ts";
import { tenantStorage } from "../../storage/tenants/tenant-storage.ts";
import type { RouteHandler } from "../app-env.ts";
import { pathId } from "../middleware/check-path.ts";
import { newId, nowTimestamp } from "../new-id.ts";
import { tenantOf } from "../principal.ts";
import { readBody } from "../requests/read-body.ts";
import { signedEndpoints } from "../webhooks/signed-endpoints.ts";

const endpoints = signedEndpoints<InboundEndpoint>({
  name: "inbound_endpoint",
  idPrefix: "whi",
  path: "/v1/inbound-endpoints",
  idOf: (context) => pathId(context, "inbound_endpoint_id"),
  storageOf: (context) => tenantStorage(context.env.DB, tenantOf(context)).inboundEndpoints,
});

const createInboundEndpoint: RouteHandler = async (context) => {
  const { name } = await readBody(context, InboundEndpointCreateSchema);
  return endpoints.answerCreated(context, {
    id: newId("whi"),
    name,
    created_at: nowTimestamp(),
    old_secret_expires_at: null,
  });
};

const rotateInboundSecret: RouteHandler = async (context) => {
  const { overlap_ms } = await readBody(context, InboundSecretRotateSchema);
  return endpoints.answerRotated(context, overlap_ms);
};

export const inboundEndpointRoutes = {
  createInboundEndpoint,
  listInboundEndpoints: endpoints.answerList,
  readInboundEndpoint: endpoints.answerRead,
  deleteInboundEndpoint: endpoints.answerDeleted,
  rotateInboundSecret,
};
