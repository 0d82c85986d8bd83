import type { RepriseOptions } from "../transport/reprise-options.ts";
import { openTransport } from "../transport/open-transport.ts";
import { SessionHandle } from "./session-handle.ts";

/**
 * The handle of one session without the rest of the API: all that a client token may use, and the smaller bundle.
 * Sends nothing.
 *
 * @throws {TypeError} when the credential or the address is missing.
 */
export function connectSession(sessionId: string, options: RepriseOptions): SessionHandle {
  return new SessionHandle(openTransport(options), sessionId);
}
