import type { Context } from "hono";

import type { Quotas } from "../protocol/api/quotas.ts";
import type { Route } from "../protocol/api/routes/routes.ts";
import type { TraceContext } from "../protocol/trace-context.ts";
import type { IdempotencyClaim } from "../storage/statements/idempotency-storage.ts";
import type { Principal } from "./principal.ts";

/** What the app's middleware gives to every handler. */
export interface AppEnv {
  Bindings: Env;
  Variables: {
    /** The row of the table that this request hit. */
    route: Route;
    /** The body, once something has read it. */
    bodyText: string | undefined;
    /** Of a request with an Idempotency-Key: the key, and what tells it from another request. */
    idempotency: { readonly key: string; readonly fingerprint: string } | undefined;
    /** The key that this request may act under, where D1 keeps it. */
    claim: IdempotencyClaim | undefined;
    /** Nothing is done: an earlier request with the key has done it. */
    isReplayed: boolean | undefined;
    requestId: string;
    /** What goes on from the caller's trace, when the request is part of one. */
    trace: TraceContext | undefined;
    principal: Principal;
    /** How many requests the tenant may send in a window, once that is known. */
    requestQuota: Quotas["requests"] | undefined;
  };
}

export type AppContext = Context<AppEnv>;
export type RouteHandler = (context: AppContext) => Response | Promise<Response>;
