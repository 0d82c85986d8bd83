import type { SessionHooks, SessionHooksWriteSchema } from "../../protocol/hooks/contract.ts";
import type { RequestOptions } from "../transport/api-request.ts";
import type { InputOf } from "../transport/input-of.ts";
import type { Transport } from "../transport/transport.ts";

/** The session's own hooks. They run before the agent's, and hold from the next reply on. */
export interface HooksHandle {
  get(options?: RequestOptions): Promise<SessionHooks>;
  /**
   * Sets the whole list: what is left out is removed, an empty one clears it. With `ifVersion` only over that version, else
   * refused with `version_mismatch`.
   */
  set(
    hooks: InputOf<typeof SessionHooksWriteSchema>["hooks"],
    options?: RequestOptions & { readonly ifVersion?: number },
  ): Promise<SessionHooks>;
}

export function hooksOf(transport: Transport, sessionId: string): HooksHandle {
  const path = ["sessions", sessionId, "hooks"];
  return {
    get: (options) => transport.get(path, options),
    set: (hooks, options) =>
      transport.call({ ...options, method: "PUT", path, body: { hooks }, answersOnce: true }),
  };
}
