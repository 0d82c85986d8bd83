import type { RouteHandler } from "../app-env.ts";
import { checkReadiness } from "../configuration/check-readiness.ts";

/** Liveness of the Worker only: D1 and the objects are not checked. */
const readHealth: RouteHandler = (context) => context.json({ status: "ok" });

/** Whether the deployment can serve requests, and what is missing. Caches must not keep it. */
const readReadiness: RouteHandler = async (context) => {
  const readiness = await checkReadiness(context.env);
  const status = readiness.status === "ready" ? 200 : 503;
  return context.json(readiness, status, { "Cache-Control": "no-store" });
};

export const healthRoutes = { readHealth, readReadiness };
