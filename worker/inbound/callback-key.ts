import type { Idempotency } from "../../durable-objects/api/session-api.ts";
import type { CallbackClaims } from "../../storage/secrets/signed-token.ts";
import type { AppContext } from "../app-env.ts";
import { fingerprintOf } from "../requests/fingerprint-of.ts";
import { parseIdempotencyKey } from "../requests/parse-idempotency-key.ts";

/**
 * The key of a request to a callback address whose signature is good; undefined for one without a key. It belongs to the
 * announcement that brought the address, and what it keeps to the address's own rights.
 */
export async function callbackKey(
  context: AppContext,
  { message_id, may_edit }: CallbackClaims,
): Promise<Idempotency | undefined> {
  const header = context.req.header("Idempotency-Key");
  if (header === undefined) return undefined;
  const key = parseIdempotencyKey(header);
  const rights = `callback ${message_id} ${may_edit === true ? "edit" : ""}`;
  return {
    key: `${context.get("route").name} callback ${message_id} ${key}`,
    fingerprint: await fingerprintOf(context, rights),
  };
}
