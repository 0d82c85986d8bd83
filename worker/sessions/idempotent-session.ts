// Idempotency keys of requests that act on a session: its object stores them in the transaction of the act.
import type { Idempotency, Once } from "../../durable-objects/api/session-api.ts";
import { IDEMPOTENCY_RETRY_SECONDS } from "../../protocol/requests/limits.ts";
import type { AppContext } from "../app-env.ts";
import { unwrap } from "../http-error.ts";
import { ofSender } from "../requests/sender-of.ts";

/**
 * The key in the form that the object stores, with its sender; undefined when the request has none.
 * @param part Distinguishes the acts of a request that does several on one session.
 */
export function idempotencyOf(context: AppContext, part?: number): Idempotency | undefined {
  const idempotency = context.get("idempotency");
  if (!idempotency) return undefined;
  const { key, fingerprint } = idempotency;
  const nameOf = (own: string) =>
    [context.get("route").name, own, ...(part === undefined ? [] : [part])].join(" ");
  const owned = ofSender(context.get("principal"), key);
  if (owned === key) return { key: nameOf(key), fingerprint };
  return { key: nameOf(owned), former_key: nameOf(key), fingerprint };
}

/** Like `unwrap`; also records whether the answer is a replay, for the response headers. */
export function unwrapOnce<Value>(context: AppContext, result: Once<Value>): Value {
  if (result.is_replayed) context.set("isReplayed", true);
  if (result.ok || result.refusal.code !== "idempotency_in_flight") return unwrap(result);
  return unwrap(result, { "Retry-After": String(IDEMPOTENCY_RETRY_SECONDS) });
}
