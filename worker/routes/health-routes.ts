import type { RouteHandler } from "../app-env.ts";

/** Says that the Worker answers; asks nothing behind it. */
const readHealth: RouteHandler = (context) => context.json({ status: "ok" });

export const healthRoutes = { readHealth };
