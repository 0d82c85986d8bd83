import type {
  SessionToolGroups,
  ToolGroupsWriteSchema,
} from "../../protocol/tool-groups/contract.ts";
import type { RequestOptions } from "../transport/api-request.ts";
import type { InputOf } from "../transport/input-of.ts";
import type { Transport } from "../transport/transport.ts";

/** The session's groups of tools and its single tools; changes appear in the stream as `CUSTOM tool_groups_changed`. */
export interface ToolGroupsHandle {
  get(options?: RequestOptions): Promise<SessionToolGroups>;
  /**
   * Sets all switches: what is left out is as the definition has it. With `ifVersion` only over that version, else refused
   * with `version_mismatch`.
   */
  set(
    switches: InputOf<typeof ToolGroupsWriteSchema>,
    options?: RequestOptions & { readonly ifVersion?: number },
  ): Promise<SessionToolGroups>;
}

export function toolGroupsOf(transport: Transport, sessionId: string): ToolGroupsHandle {
  const path = ["sessions", sessionId, "tool-groups"];
  return {
    get: (options) => transport.get(path, options),
    set: (body, options) => {
      // Repeated over a version, it would be refused though it was done.
      const answersOnce = options?.ifVersion !== undefined;
      return transport.call({ ...options, method: "PUT", path, body, answersOnce });
    },
  };
}
