import type { RouteHandler } from "../app-env.ts";

/** Liveness of the Worker only: D1 and the objects are not checked. */
const readHealth: RouteHandler = (context) => context.json({ status: "ok" });

export const healthRoutes = { readHealth };
