import type {
  HookDefinition,
  SessionHooks,
  SessionHooksWriteSchema,
  WrittenSessionHooks,
} from "../../protocol/hooks/contract.ts";
import type { RequestOptions } from "../transport/api-request.ts";
import type { InputOf } from "../transport/input-of.ts";
import type { Transport } from "../transport/transport.ts";
import { strictly, VALIDATION, type WriteOptions } from "./write-options.ts";

type HooksInput = InputOf<typeof SessionHooksWriteSchema>["hooks"];

/** The session's own hooks. They run before the agent's, and hold from the next reply on. */
export interface HooksHandle {
  get(options?: RequestOptions): Promise<SessionHooks>;
  /**
   * Sets the whole list: what is left out is removed, an empty one clears it. With `ifVersion` only over that version, else
   * refused with `version_mismatch`. The answer has `warnings` about hooks that say nothing.
   */
  set(
    hooks: HooksInput,
    options?: WriteOptions & { readonly ifVersion?: number },
  ): Promise<WrittenSessionHooks>;
  /**
   * Removes one by its name. `point` is needed where the session has that name at several points; `ifVersion` is that of
   * `set`. Refused with `not_found` where there is none.
   */
  remove(
    name: string,
    options?: RequestOptions & {
      readonly point?: HookDefinition["point"];
      readonly ifVersion?: number;
    },
  ): Promise<SessionHooks>;
  /** Checks the list as `set` would, and writes nothing. @returns the hooks as they would be, with `warnings`. */
  validate(hooks: HooksInput, options?: RequestOptions): Promise<WrittenSessionHooks>;
}

export function hooksOf(transport: Transport, sessionId: string): HooksHandle {
  const path = ["sessions", sessionId, "hooks"];
  return {
    get: (options) => transport.get(path, options),
    set: (hooks, options) =>
      transport.call({
        ...strictly(options),
        method: "PUT",
        path,
        body: { hooks },
        answersOnce: true,
      }),
    remove: (name, { point, ...options } = {}) =>
      transport.call({
        ...options,
        method: "DELETE",
        path: [...path, name],
        ...(point && { query: { point } }),
        answersOnce: true,
      }),
    validate: (hooks, options) =>
      transport.call({ ...options, ...VALIDATION, method: "PUT", path, body: { hooks } }),
  };
}
