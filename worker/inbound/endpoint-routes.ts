import type { CreatedInboundEndpoint, InboundEndpoint } from "../../protocol/inbound/contract.ts";
import {
  InboundEndpointCreateSchema,
  InboundSecretRotateSchema,
} from "../../protocol/inbound/contract.ts";
import { tenantStorage } from "../../storage/tenants/tenant-storage.ts";
import { makeWebhookSecret } from "../../webhooks/webhook-signature.ts";
import type { AppContext, RouteHandler } from "../app-env.ts";
import { auditFor } from "../audit/audit.ts";
import { notFound } from "../http-error.ts";
import { answerStatement } from "../requests/keep-answer.ts";
import { pathId } from "../middleware/check-path.ts";
import { newId, nowTimestamp } from "../new-id.ts";
import { tenantOf } from "../principal.ts";
import { readBody } from "../requests/read-body.ts";
import { readListQuery } from "../requests/read-query.ts";
import { sealForTenant } from "../auth/seal-for-tenant.ts";

const createInboundEndpoint: RouteHandler = async (context) => {
  const { name } = await readBody(context, InboundEndpointCreateSchema);
  const endpoints = endpointsOf(context);
  const endpoint: InboundEndpoint = {
    id: newId("whi"),
    name,
    created_at: nowTimestamp(),
    old_secret_expires_at: null,
  };
  const secret = makeWebhookSecret();
  const location = `/v1/inbound-endpoints/${endpoint.id}`;
  await endpoints.insert(
    endpoint,
    await sealForTenant(context, secret, endpoint.id),
    answerStatement(context, { status: 201, location, body: endpoint }),
    auditFor(context, {
      action: "inbound_endpoint.created",
      target: endpoint.id,
      after: endpoint,
    }),
  );
  const created: CreatedInboundEndpoint = { ...endpoint, secret };
  return context.json(created, 201, { Location: location });
};

const listInboundEndpoints: RouteHandler = async (context) =>
  context.json(await endpointsOf(context).list(readListQuery(context, "whi")));

const readInboundEndpoint: RouteHandler = async (context) => {
  const endpoint = await endpointsOf(context).read(pathId(context, "inbound_endpoint_id"));
  if (!endpoint) throw notFound("inbound endpoint");
  return context.json(endpoint);
};

const deleteInboundEndpoint: RouteHandler = async (context) => {
  const endpoints = endpointsOf(context);
  const target = pathId(context, "inbound_endpoint_id");
  const before = await endpoints.read(target);
  if (!before) throw notFound("inbound endpoint");
  const audit = auditFor(context, { action: "inbound_endpoint.deleted", target, before });
  if (!(await endpoints.remove(target, audit))) throw notFound("inbound endpoint");
  return context.body(null, 204);
};

const rotateInboundSecret: RouteHandler = async (context) => {
  const { overlap_ms } = await readBody(context, InboundSecretRotateSchema);
  const endpointId = pathId(context, "inbound_endpoint_id");
  const before = await endpointsOf(context).read(endpointId);
  if (!before) throw notFound("inbound endpoint");
  const secret = makeWebhookSecret();
  const sealed = await sealForTenant(context, secret, endpointId);
  const old_secret_expires_at = new Date(Date.now() + overlap_ms).toISOString();
  const after = { ...before, old_secret_expires_at };
  const keep = answerStatement(context, { status: 200, body: after });
  const audit = auditFor(context, {
    action: "inbound_endpoint.secret_rotated",
    target: endpointId,
    before,
    after,
  });
  const endpoint = await endpointsOf(context).rotate(
    endpointId,
    sealed,
    old_secret_expires_at,
    keep,
    audit,
  );
  if (!endpoint) throw notFound("inbound endpoint");
  const created: CreatedInboundEndpoint = { ...endpoint, secret };
  return context.json(created);
};

function endpointsOf(context: AppContext) {
  return tenantStorage(context.env.DB, tenantOf(context)).inboundEndpoints;
}

export const inboundEndpointRoutes = {
  createInboundEndpoint,
  listInboundEndpoints,
  readInboundEndpoint,
  deleteInboundEndpoint,
  rotateInboundSecret,
};
