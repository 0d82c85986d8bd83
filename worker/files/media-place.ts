import type { AppContext } from "../app-env.ts";
import { tenantOf } from "../principal.ts";

export interface MediaPlace {
  readonly tenant_id: string;
  readonly session_id: string;
  /** Whether files of the tenant may be named, which belong to no session: never by an end user. */
  readonly takes_tenant_files: boolean;
}

/** The place of media in a request of an API key or a client token. */
export function mediaPlace(context: AppContext, sessionId: string): MediaPlace {
  return {
    tenant_id: tenantOf(context),
    session_id: sessionId,
    takes_tenant_files: context.get("principal").kind === "tenant",
  };
}
