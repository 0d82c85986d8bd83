import type { JsonPatch, SharedState } from "../../protocol/shared-state/contract.ts";
import type { RequestOptions } from "../transport/api-request.ts";
import type { Transport } from "../transport/transport.ts";

/**
 * The state shared by the session's app and its agent; changes appear in the stream as `CUSTOM shared_state_updated`.
 */
export interface SharedStateHandle {
  get(options?: RequestOptions): Promise<SharedState>;
  /**
   * Applies a JSON Patch atomically; start it with a `test` of the values that it relies on. Not retried when the
   * response is lost: read the state then.
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
