// The interface through which the ability reads the state that the app and the agent share.
import type { StateObject } from "../../protocol/shared-state/events.ts";
import type { JsonSchema } from "../../protocol/schemas/structured-output.ts";

export interface VersionedState {
  readonly state: StateObject;
  /** The number of changes so far; 0 for a state that was never set. */
  readonly version: number;
}

/** A session's shared state, read-only: it changes by appending `shared_state_updated`. */
export interface SharedStateAccess {
  /** The current state; clients change it too. */
  read(): VersionedState;
  /** Whether the model gets the tool that changes the state. */
  readonly isWritable: boolean;
  /** JSON Schema that a changed state has to fit; null for any object. */
  readonly schema: JsonSchema | null;
}
