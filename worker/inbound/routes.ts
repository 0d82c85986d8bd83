// Signed webhooks from a tenant's systems: each contains an event for one of its sessions.
import type { AnswerReceipt } from "../../protocol/inbound/callbacks.ts";
import { InboundMessageSchema } from "../../protocol/inbound/contract.ts";
import { isId } from "../../protocol/ids.ts";
import type { InboundClaim } from "../../storage/inbound/inbound-requests.ts";
import {
  claimInboundMessage,
  releaseInboundMessage,
} from "../../storage/inbound/inbound-requests.ts";
import { inboundActor } from "../auth/actor.ts";
import type { RouteHandler } from "../app-env.ts";
import { settleMedia } from "../files/settle-media.ts";
import { fieldError, HttpError, unwrap } from "../http-error.ts";
import { pathId } from "../middleware/check-path.ts";
import { normalizeInboundBody } from "../requests/normalize-input.ts";
import { parseBody } from "../requests/read-body.ts";
import { sessionStub } from "../objects/session-stub.ts";
import { verifyInbound } from "./verify-inbound.ts";

/**
 * The webhook's id is claimed first, and released unless the event was accepted: a sender can repeat what was refused
 * or has failed, and nothing is executed twice.
 */
const receiveWebhook: RouteHandler = async (context) => {
  const endpointId = pathId(context, "inbound_endpoint_id");
  const { tenantId, webhookId, text } = await verifyInbound(context, endpointId);
  const { session_id, event } = parseBody(text, InboundMessageSchema, normalizeInboundBody);
  if (!isId("ses", session_id)) {
    throw fieldError("not_found", "#/session_id", "there is no such session");
  }
  const claim: InboundClaim = { tenantId, endpointId, webhookId };
  if (!(await claimInboundMessage(context.env.DB, claim, Date.now()))) {
    throw new HttpError("webhook_replayed", "a webhook with this webhook-id was taken before");
  }
  let isAccepted = false;
  try {
    const stub = sessionStub(context.env, tenantId, session_id);
    const place = { tenant_id: tenantId, session_id, takes_tenant_files: true };
    const settled = await settleMedia(context, place, event, "#/event");
    const result = await stub.act("postEvent", settled, {
      actor: inboundActor(endpointId),
      trace: context.get("trace"),
    });
    isAccepted = result.ok;
    const { reply, applied } = unwrap(result);
    const receipt: AnswerReceipt = {
      session_id,
      reply_id: reply?.id ?? null,
      status: reply?.status ?? null,
      applied,
    };
    return context.json(receipt, 202);
  } finally {
    if (!isAccepted) await releaseInboundMessage(context.env.DB, claim);
  }
};

export const inboundRoutes = { receiveWebhook };
