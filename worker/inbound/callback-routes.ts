// The callback URL in an outgoing webhook: signed, valid for the announced calls until they expire.
import type { AnswerReceipt, Callback } from "../../protocol/inbound/callbacks.ts";
import { CallbackAnswerSchema } from "../../protocol/inbound/callbacks.ts";
import { keyPepperOf } from "../../storage/secrets/deployment-secrets.ts";
import type { CallbackClaims } from "../../storage/secrets/signed-token.ts";
import { openToken } from "../../storage/secrets/signed-token.ts";
import { callbackActor } from "../auth/actor.ts";
import { admitTenant } from "../auth/admit-tenant.ts";
import type { AppContext, RouteHandler } from "../app-env.ts";
import { settleMedia } from "../files/settle-media.ts";
import { unwrap } from "../http-error.ts";
import { pathId } from "../middleware/check-path.ts";
import { callbackKey } from "./callback-key.ts";
import { limitApp, limitUnauthenticated } from "../requests/rate-limit.ts";
import { unauthenticated } from "../auth/unauthenticated.ts";
import { normalizeEventBody } from "../requests/normalize-input.ts";
import { readBody } from "../requests/read-body.ts";
import { unwrapOnce } from "../sessions/idempotent-session.ts";
import { sessionStub } from "../objects/session-stub.ts";

/** The calls that still wait. GET has no effects, so that a link preview is harmless. */
const readCallback: RouteHandler = async (context) => {
  const claims = await openAddress(context);
  const { session_id, reply_id, tool_call_ids, kind: announced, exp } = claims;
  const reply = unwrap(await stubOf(context, claims).act("readReply", { reply_id, wait_ms: 0 }));
  const callback: Callback = {
    session_id,
    reply_id,
    pending: reply.pending.filter(
      ({ tool_call, kind }) => kind === announced && tool_call_ids.includes(tool_call.id),
    ),
    expires_at: new Date(exp).toISOString(),
  };
  return context.json(callback);
};

const answerCallback: RouteHandler = async (context) => {
  const claims = await openAddress(context);
  const idempotency = await callbackKey(context, claims);
  const event = await readBody(context, CallbackAnswerSchema, normalizeEventBody);
  const { tenant_id, session_id } = claims;
  const place = { tenant_id, session_id, takes_tenant_files: false };
  const settled = await settleMedia(context, place, event, "#");
  const actor = callbackActor(claims, event.type);
  const receipt = unwrapOnce(
    context,
    await stubOf(context, claims).act("postEvent", settled, {
      actor,
      trace: context.get("trace"),
      idempotency,
    }),
  );
  const answer: AnswerReceipt = {
    session_id: claims.session_id,
    reply_id: claims.reply_id,
    status: receipt.reply?.status ?? null,
    applied: receipt.applied,
  };
  return context.json(answer, 202);
};

/** @throws HttpError 401 for an invalid or expired URL; 429 for too many requests with such URLs. */
async function openAddress(context: AppContext): Promise<CallbackClaims> {
  const token = pathId(context, "callback_token");
  const opened = await openToken("callback", token, keyPepperOf(context.env), Date.now());
  if (opened.ok) {
    const { claims } = opened;
    const id = `${claims.tenant_id} ${claims.message_id}`;
    const admission = await admitTenant(context.env, claims.tenant_id);
    const handedOut = { kind: "callback address", id } as const;
    await limitApp(context, claims.tenant_id, handedOut, admission?.quotas.requests);
    return claims;
  }
  await limitUnauthenticated(context);
  throw unauthenticated(
    opened.reason === "expired"
      ? "the callback address has expired; its calls can be answered with an API key as long as they wait"
      : "the callback address is mistyped, cut off or was changed: its signature does not fit",
  );
}

function stubOf({ env }: AppContext, { tenant_id, session_id }: CallbackClaims) {
  return sessionStub(env, tenant_id, session_id);
}

export const callbackRoutes = { readCallback, answerCallback };
