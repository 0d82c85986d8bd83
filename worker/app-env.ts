import type { Context } from "hono";

import type { Route } from "../protocol/api/routes.ts";
import type { Principal } from "./principal.ts";

/** What the app's middleware gives to every handler. */
export interface AppEnv {
  Bindings: Env;
  Variables: {
    /** The row of the table that this request hit. */
    route: Route;
    requestId: string;
    principal: Principal;
  };
}

export type AppContext = Context<AppEnv>;
export type RouteHandler = (context: AppContext) => Response | Promise<Response>;
