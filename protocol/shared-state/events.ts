// Names and shapes of a session's shared state: the event that changes it and the tool with which a model does so.
import type { PatchOperation } from "../json-patch.ts";

/** The ability's name, by which the log's snapshots of the state are known: `{state, version}`. */
export const SHARED_STATE = "shared_state";

/** The `name` of the `CUSTOM` event that records one change; its `value` is a {@link SharedStateUpdatedValue}. */
export const SHARED_STATE_UPDATED = "shared_state_updated";

/** Name of the platform's tool for the model; reserved. */
export const UPDATE_SHARED_STATE_TOOL = "update_shared_state";

/** A JSON object with arbitrary members. */
export type StateObject = Readonly<Record<string, unknown>>;

/**
 * `patch` turns the state of the previous version into that of `version`. Version 0 is `{}`, the first change makes
 * version 1.
 */
export interface SharedStateUpdatedValue {
  readonly patch: readonly PatchOperation[];
  readonly version: number;
}
