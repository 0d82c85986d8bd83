import type { AppContext } from "../app-env.ts";
import { tenantOf } from "../principal.ts";
import type { MediaPlace } from "./settle-media.ts";

/** The place of media in a request of an API key or a client token. */
export function mediaPlace(context: AppContext, sessionId: string): MediaPlace {
  return {
    tenant_id: tenantOf(context),
    session_id: sessionId,
    takes_tenant_files: context.get("principal").kind === "tenant",
  };
}
