// What a session's shared state is known by: the event that changes it and the tool with which a model does so.

/** The ability's name, by which the log's snapshots of the state are known: `{state, version}`. */
export const SHARED_STATE = "shared_state";

/** The `name` of the `CUSTOM` event that stands for one change; its `value` is a {@link SharedStateUpdatedValue}. */
export const SHARED_STATE_UPDATED = "shared_state_updated";

/** The name of the tool that an agent may be given; no agent's own tool may have it. */
export const UPDATE_SHARED_STATE_TOOL = "update_shared_state";

/** A JSON value whose members are named freely. */
export type StateObject = Readonly<Record<string, unknown>>;

/** One operation of a JSON Patch (RFC 6902). */
export type PatchOperation =
  | { readonly op: "add" | "replace" | "test"; readonly path: string; readonly value: unknown }
  | { readonly op: "remove"; readonly path: string }
  | { readonly op: "move" | "copy"; readonly from: string; readonly path: string };

/** Applied to the state of the version before, `patch` gives that of `version`. The first version is 1, of `{}`. */
export interface SharedStateUpdatedValue {
  readonly patch: readonly PatchOperation[];
  readonly version: number;
}
