// The header `Idempotency-Key`: a request repeated after a lost response is executed once.
import type { MiddlewareHandler } from "hono";

import type { RouteName } from "../../protocol/routes.ts";
import { REPLAYED_HEADER } from "../../protocol/requests/headers.ts";
import {
  IDEMPOTENCY_RETRY_SECONDS,
  MAX_KEPT_ANSWER_BYTES,
} from "../../protocol/requests/limits.ts";
import type { IdempotencyClaim, KeptAnswer } from "../../storage/requests/idempotency-storage.ts";
import { exceededQuota } from "../../storage/quotas/exceeded-quota.ts";
import { claimKey, isClaimLost, releaseKey } from "../../storage/requests/idempotency-storage.ts";
import type { AppContext, AppEnv } from "../app-env.ts";
import { HttpError, unwrap } from "../http-error.ts";
import { parseIdempotencyKey } from "../requests/parse-idempotency-key.ts";
import { tenantOf } from "../principal.ts";
import { fingerprintOf } from "../requests/fingerprint-of.ts";
import { ofSender } from "../requests/sender-of.ts";
import { sessionStub } from "../objects/session-stub.ts";

/**
 * Acts that a tenant whose rows are too many does all the same, without a row for the key: they end something, and their
 * parts are idempotent themselves (`keepRepeatable`).
 */
const NEVER_FULL: ReadonlySet<string> = new Set<RouteName>([
  "answerConfirmations",
  "redactMemoryVersion",
  "revokeApiKeys",
]);

/**
 * Runs after authentication, so that unauthorised callers learn nothing about keys. No effect on routes without keys. A
 * signed route reads its key itself, once it knows that the signature is good and whose it is.
 */
export const idempotency: MiddlewareHandler<AppEnv> = async (context, next) => {
  const { keeps_keys, validates_only, is_signed } = context.get("route");
  const header = context.req.header("Idempotency-Key");
  if (keeps_keys === undefined || header === undefined) return next();
  if (validates_only && context.req.query("validate_only") === "true") return next();
  const answer = await (is_signed ? next() : actKeyed(context, parseIdempotencyKey(header), next));
  if (context.get("isReplayed")) context.res.headers.set(REPLAYED_HEADER, "true");
  return answer;
};

async function actKeyed(
  context: AppContext,
  key: string,
  next: () => Promise<void>,
): Promise<Response | undefined> {
  const keyed = { key, fingerprint: await fingerprintOf(context) };
  context.set("idempotency", keyed);
  if (context.get("route").keeps_keys === "database") return actOnce(context, keyed, next);
  await next();
  return undefined;
}

async function actOnce(
  context: AppContext,
  { key, fingerprint }: { readonly key: string; readonly fingerprint: string },
  next: () => Promise<void>,
): Promise<Response | undefined> {
  const principal = context.get("principal");
  const claim: IdempotencyClaim = {
    owner: principal.kind === "operator" ? "operator" : tenantOf(context),
    path: context.req.path,
    key: ofSender(principal, key),
    claimId: crypto.randomUUID(),
    // Answers of releases in which keys had no senders tell whose they are. Not needed a day after such a release.
    ...(principal.kind === "client_token" && {
      former: { key, session_id: principal.sessionId },
    }),
  };
  const claimed = await claimKey(context.env.DB, claim, fingerprint, Date.now()).catch(
    (error: unknown) => {
      if (exceededQuota(error) && NEVER_FULL.has(context.get("route").name)) return null;
      throw error;
    },
  );
  if (!claimed) {
    await next();
    return undefined;
  }
  switch (claimed.kind) {
    case "in_flight":
      throw inFlight();
    case "reused":
      throw new HttpError(
        "idempotency_key_reused",
        "this Idempotency-Key was used for another request, or with a credential of other rights; use a new one",
      );
    case "answered":
      if ((claimed.answer.in_flight_until ?? 0) > Date.now()) throw inFlight();
      if (!claimed.answer.is_repeatable) return replay(context, claimed.answer);
      context.set("isReplayed", true);
      await next();
      return undefined;
    case "claimed":
      context.set("claim", claim);
      await next();
      await settle(context, claim);
      return undefined;
    default:
      return claimed satisfies never;
  }
}

/** When `next` returns, exceptions have become responses. A request that changed nothing releases its key. */
async function settle(context: AppContext, claim: IdempotencyClaim): Promise<void> {
  if (!context.error) return;
  try {
    await releaseKey(context.env.DB, claim);
  } catch (error) {
    // The lease expires soon.
    console.warn("idempotency: failed to release the key; its lease will expire", {
      error: String(error),
    });
  }
  if (isClaimLost(context.error)) throw inFlight();
}

async function replay(
  context: AppContext,
  { status, location, body, session_id, is_bodiless }: KeptAnswer,
): Promise<Response> {
  if (is_bodiless) throw notKept(status, location);
  const shown =
    session_id === undefined
      ? body
      : unwrap(await sessionStub(context.env, tenantOf(context), session_id).act("read"));
  return Response.json(shown, {
    status,
    headers: { [REPLAYED_HEADER]: "true", ...(location !== undefined && { Location: location }) },
  });
}

function notKept(answered: number, location: string | undefined): HttpError {
  const where = location === undefined ? "" : `: read what it has made at ${location}`;
  return new HttpError(
    "answer_not_kept",
    `the request was carried out once, with status ${answered}, and is not repeated; its answer was larger than ${MAX_KEPT_ANSWER_BYTES} bytes, which are not kept${where}`,
    {
      extensions: { answered },
      headers: { [REPLAYED_HEADER]: "true", ...(location !== undefined && { Location: location }) },
    },
  );
}

function inFlight(): HttpError {
  return new HttpError(
    "idempotency_in_flight",
    "a request with this Idempotency-Key is still in progress; retry soon",
    { headers: { "Retry-After": String(IDEMPOTENCY_RETRY_SECONDS) } },
  );
}
