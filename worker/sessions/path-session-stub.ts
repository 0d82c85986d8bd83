import type { AppContext } from "../app-env.ts";
import { pathId } from "../middleware/check-path.ts";
import { tenantOf } from "../principal.ts";
import { type SessionStub, sessionStub } from "./session-stub.ts";

/** The object of the session in the request's path. */
export function pathSessionStub(context: AppContext): SessionStub {
  return sessionStub(context.env, tenantOf(context), pathId(context, "session_id"));
}
