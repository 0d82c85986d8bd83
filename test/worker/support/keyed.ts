import type { Call } from "./api.ts";

/** The call with an Idempotency-Key. */
export function keyed(call: Call, key = "order-1", headers: Record<string, string> = {}): Call {
  return { ...call, headers: { ...headers, "Idempotency-Key": key } };
}
