import type { MiddlewareHandler } from "hono";

import { continueTrace } from "../../protocol/trace-context.ts";
import type { AppEnv } from "../app-env.ts";

const SPAN_ID_BYTES = 8;

/** Continues the caller's trace: outgoing requests get a parent id of this request. */
export const trace: MiddlewareHandler<AppEnv> = async (context, next) => {
  const traceparent = context.req.header("traceparent");
  if (traceparent !== undefined) {
    const tracestate = context.req.header("tracestate");
    context.set("trace", continueTrace({ traceparent, tracestate }, newSpanId()) ?? undefined);
  }
  await next();
};

function newSpanId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(SPAN_ID_BYTES));
  // All zeros is invalid, so one bit is set.
  bytes[0] = (bytes[0] ?? 0) | 1;
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
