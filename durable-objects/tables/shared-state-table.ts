// Read access to the session's shared state outside of its ability: for clients, and for replies, which begin with a
// version.
import { SHARED_STATE_FOLD } from "../../agent/shared-state/shared-state-fold.ts";
import type { VersionedState } from "../../agent/shared-state/shared-state-access.ts";
import type { AbilityStates } from "./ability-states.ts";

export class SharedStateTable {
  readonly #abilities: AbilityStates;

  constructor(abilities: AbilityStates) {
    this.#abilities = abilities;
  }

  read(): VersionedState {
    return this.#abilities.read(SHARED_STATE_FOLD);
  }

  /** The seq of the last change; 0 while there is no state. */
  get changedAt(): number {
    return this.#abilities.changedAt(SHARED_STATE_FOLD);
  }
}
