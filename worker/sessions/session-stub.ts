import type { ActsApi } from "../../durable-objects/acts/acts-api.ts";
import type { SessionApi } from "../../durable-objects/api/session-api.ts";
import { sessionObjectName } from "../../durable-objects/api/session-api.ts";

/** A session's object as routes see it. */
export type SessionStub = SessionApi & ActsApi & { fetch(url: string): Promise<Response> };

/** The object may not exist: then every answer is `not_found`, and asking creates nothing. */
export function sessionStub(env: Env, tenantId: string, sessionId: string): SessionStub {
  // The runtime's own type of a stub replaces every open record by `never`; what crosses is plain data.
  return env.SESSION.getByName(sessionObjectName(tenantId, sessionId)) as unknown as SessionStub;
}
