import { formatId, TIMELESS_ID_MS } from "../../protocol/ids.ts";
import type { AppContext } from "../app-env.ts";
import { newId } from "../new-id.ts";
import { tenantOf } from "../principal.ts";

/**
 * The id of a call that a request makes: the same when the request is repeated with its `Idempotency-Key`, so that the
 * tool's server takes the two for one, also where the platform has lost the answer to the first.
 */
export async function callIdOf(context: AppContext): Promise<`call_${string}`> {
  const keyed = context.get("idempotency");
  if (!keyed) return newId("call");
  const asked = JSON.stringify([tenantOf(context), context.req.path, keyed.key]);
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(asked));
  return formatId("call", TIMELESS_ID_MS, new Uint8Array(digest));
}
