import type { AppContext } from "../app-env.ts";
import { tenantOf } from "../principal.ts";
import { type SessionStub, sessionStub } from "./session-stub.ts";

/** The object of the session in the request's path. @throws Error on a route whose path has none. */
export function pathSessionStub(context: AppContext): SessionStub {
  const sessionId = context.req.param("session_id");
  if (sessionId === undefined) throw new Error("the route has no session in its path");
  return sessionStub(context.env, tenantOf(context), sessionId);
}
