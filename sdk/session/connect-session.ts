import type { RepriseOptions } from "../transport/reprise-options.ts";
import { openTransport } from "../transport/open-transport.ts";
import { SessionHandle } from "./session-handle.ts";

/**
 * A handle of one session without the rest of the API: all that a client token may use, in a smaller bundle. Sends no
 * request.
 *
 * @throws {TypeError} when the credential or the base URL is missing.
 */
export function connectSession(sessionId: string, options: RepriseOptions): SessionHandle {
  return new SessionHandle(openTransport(options), sessionId);
}
