import type { Context } from "hono";

import type { Quotas } from "../protocol/quotas/contract.ts";
import type { Route } from "../protocol/routes.ts";
import type { TraceContext } from "../protocol/trace-context.ts";
import type { IdempotencyClaim } from "../storage/requests/idempotency-storage.ts";
import type { Principal } from "./principal.ts";

/** The context variables that the middleware sets for handlers. */
export interface AppEnv {
  Bindings: Env;
  Variables: {
    /** The matching row of the route table. */
    route: Route;
    /** The body's text, once read. */
    bodyText: string | undefined;
    /** The body is large, so what is made of it is handled in time slices. */
    isLarge: boolean | undefined;
    /** The Idempotency-Key and the fingerprint of its request. */
    idempotency: { readonly key: string; readonly fingerprint: string } | undefined;
    /** The claim on an Idempotency-Key stored in D1. */
    claim: IdempotencyClaim | undefined;
    /** Whether the answer is a replay: an earlier request with the key was executed. */
    isReplayed: boolean | undefined;
    requestId: string;
    /** The trace headers for outgoing requests, when the request belongs to a trace. */
    trace: TraceContext | undefined;
    principal: Principal;
    /** The tenant's request quota, once known. */
    requestQuota: Quotas["requests"] | undefined;
    /** Counts one request more as this one was counted. */
    countAgain: (() => Promise<void>) | undefined;
  };
}

export type AppContext = Context<AppEnv>;
export type RouteHandler = (context: AppContext) => Response | Promise<Response>;
