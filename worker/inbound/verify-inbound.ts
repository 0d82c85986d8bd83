// Authenticates an inbound webhook by its signature. All failures have the same answer, so that endpoints cannot be
// enumerated.
import { WEBHOOK_TOLERANCE_MS, MAX_WEBHOOK_ID_CHARACTERS } from "../../protocol/inbound/limits.ts";
import { openSecret } from "../../storage/secrets/credential-cipher.ts";
import type { InboundEndpointRecord } from "../../storage/inbound/inbound-requests.ts";
import { findInboundEndpoint } from "../../storage/inbound/inbound-requests.ts";
import { masterKeyOf } from "../../storage/secrets/deployment-secrets.ts";
import { parseWebhookSecret, verifyWebhook } from "../../webhooks/webhook-signature.ts";
import { refuseStopped } from "../auth/admit-tenant.ts";
import type { AppContext } from "../app-env.ts";
import { HttpError } from "../http-error.ts";
import { limitCredential, limitUnauthenticated, limitTenant } from "../requests/rate-limit.ts";
import { readText } from "../requests/read-body.ts";

export interface VerifiedWebhook {
  readonly tenantId: string;
  readonly webhookId: string;
  /** The raw body, as signed. */
  readonly text: string;
}

/** Used for unknown endpoints, so that their verification takes the same time. */
const DUMMY_KEY = new Uint8Array(32);
const MILLISECONDS_PER_MINUTE = 60_000;

/** @throws HttpError `signature_invalid` for an unknown endpoint, a wrong signature or a clock that is off. */
export async function verifyInbound(
  context: AppContext,
  endpointId: string,
): Promise<VerifiedWebhook> {
  await limitUnauthenticated(context);
  const id = context.req.header("webhook-id") ?? "";
  const timestamp = context.req.header("webhook-timestamp") ?? "";
  const signature = context.req.header("webhook-signature") ?? "";
  if (!id || !timestamp || !signature || id.length > MAX_WEBHOOK_ID_CHARACTERS) {
    throw invalid("send the headers webhook-id, webhook-timestamp and webhook-signature");
  }
  const text = await readText(context);
  const nowMs = Date.now();
  const endpoint = await findInboundEndpoint(
    context.env.DB,
    endpointId,
    new Date(nowMs).toISOString(),
  );
  const keys = endpoint ? await openKeys(context.env, endpointId, endpoint) : [DUMMY_KEY];
  const verdict = await verifyWebhook(keys, { id, timestamp, signature, body: text }, nowMs);
  if (verdict === "untimely" && endpoint) {
    const minutes = WEBHOOK_TOLERANCE_MS / MILLISECONDS_PER_MINUTE;
    throw invalid(`webhook-timestamp is more than ${minutes} minutes from now`);
  }
  if (verdict !== "valid" || !endpoint)
    throw invalid("no signature fits a secret of this endpoint");
  await limitCredential(context, { kind: "inbound endpoint", id: endpointId });
  refuseStopped(endpoint.tenant_status);
  await limitTenant(context, endpoint.tenant_id, endpoint.requests);
  return { tenantId: endpoint.tenant_id, webhookId: id, text };
}

async function openKeys(
  env: Env,
  endpointId: string,
  { tenant_id, tenant_key, sealed }: InboundEndpointRecord,
): Promise<readonly Uint8Array[]> {
  const seal = { masterKey: masterKeyOf(env), tenantKey: tenant_key, tenantId: tenant_id };
  const secrets = await Promise.all(sealed.map((one) => openSecret(one, endpointId, seal)));
  return secrets.flatMap((secret) => parseWebhookSecret(secret) ?? []);
}

function invalid(detail: string): HttpError {
  return new HttpError("signature_invalid", detail, {
    headers: { "WWW-Authenticate": "StandardWebhooks" },
  });
}
