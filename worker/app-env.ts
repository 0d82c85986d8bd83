import type { Context } from "hono";

import type { Route } from "../protocol/api/routes.ts";
import type { TraceContext } from "../protocol/trace-context.ts";
import type { Principal } from "./principal.ts";

/** What the app's middleware gives to every handler. */
export interface AppEnv {
  Bindings: Env;
  Variables: {
    /** The row of the table that this request hit. */
    route: Route;
    requestId: string;
    /** What goes on from the caller's trace, when the request is part of one. */
    trace: TraceContext | undefined;
    principal: Principal;
  };
}

export type AppContext = Context<AppEnv>;
export type RouteHandler = (context: AppContext) => Response | Promise<Response>;
