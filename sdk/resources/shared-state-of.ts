import type { JsonPatch, SharedState } from "../../protocol/api/shared-state.ts";
import type { RequestOptions } from "../transport/api-request.ts";
import type { Transport } from "../transport/transport.ts";

/** What the session's app and its agent share; the stream tells of changes as `CUSTOM shared_state_updated`. */
export interface SharedStateHandle {
  get(options?: RequestOptions): Promise<SharedState>;
  /**
   * Changes it by a JSON Patch, whole or not at all; begin it with a `test` of what it takes for granted. It is not sent
   * again when its answer is lost: read the state then.
   */
  patch(patch: JsonPatch, options?: RequestOptions): Promise<SharedState>;
}

export function sharedStateOf(transport: Transport, sessionId: string): SharedStateHandle {
  const path = ["sessions", sessionId, "shared-state"];
  return {
    get: (options) => transport.get(path, options),
    patch: (body, options) =>
      transport.call({ ...options, method: "PATCH", path, body, answersOnce: true }),
  };
}
