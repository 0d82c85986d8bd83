// How the ability reads the state that the app and the agent share.
import type { StateObject } from "../../protocol/shared-state.ts";
import type { JsonSchema } from "../../protocol/structured-output.ts";

export interface VersionedState {
  readonly state: StateObject;
  /** How often it was changed; 0 when there is none. */
  readonly version: number;
}

/** The state of a session, for the ability. Appending `shared_state_updated` changes it. */
export interface SharedStateAccess {
  /** As it is at this moment: clients change it too. */
  read(): VersionedState;
  /** The model has the tool that changes it. */
  readonly isWritable: boolean;
  /** What a changed state has to fit; null when anything will do. */
  readonly schema: JsonSchema | null;
}
