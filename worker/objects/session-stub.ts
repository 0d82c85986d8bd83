import type { ActsApi } from "../../durable-objects/acts/acts-api.ts";
import type { SessionApi } from "../../durable-objects/api/session-api.ts";
import { sessionObjectName } from "../../durable-objects/api/session-api.ts";

/** The RPC interface of a session's object for routes. */
export type SessionStub = SessionApi &
  ActsApi & { fetch(url: string, init?: RequestInit): Promise<Response> };

/** For a session that does not exist every act answers `not_found`, and creates nothing. */
export function sessionStub(
  env: Pick<Env, "SESSION">,
  tenantId: string,
  sessionId: string,
): SessionStub {
  // The runtime's type of a stub replaces records by `never`; what is transferred is plain data.
  return env.SESSION.getByName(sessionObjectName(tenantId, sessionId)) as unknown as SessionStub;
}
