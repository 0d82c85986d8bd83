import type { CalledApi, CallerApi } from "../api/called-session-api.ts";
import { sessionObjectName } from "../api/session-api.ts";

interface Place {
  readonly tenant_id: string;
  readonly session_id: string;
}

/** The session of a called agent, or the one that has called: looked up each time, as a stub that has failed stays broken. */
export function calledStub(
  env: Pick<Env, "SESSION">,
  { tenant_id, session_id }: Place,
): CalledApi & CallerApi {
  const stub = env.SESSION.getByName(sessionObjectName(tenant_id, session_id));
  return stub as unknown as CalledApi & CallerApi;
}
