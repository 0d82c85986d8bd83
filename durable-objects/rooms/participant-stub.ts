import type { ParticipantApi } from "../api/participant-api.ts";
import { sessionObjectName } from "../api/session-api.ts";

/** The session of a participant: looked up each time, as a stub that has failed stays broken. */
export function participantStub(
  env: Pick<Env, "SESSION">,
  tenantId: string,
  sessionId: string,
): ParticipantApi {
  const stub = env.SESSION.getByName(sessionObjectName(tenantId, sessionId));
  return stub as unknown as ParticipantApi;
}
