// The states of abilities while a replay runs: folds of its events, in memory.
import type { AbilityFold } from "../../agent/ability.ts";
import { advanceFold, readsType } from "../../agent/advance-fold.ts";
import type { AbilityStateValue } from "../../protocol/ability-state.ts";
import type { LoggedEvent } from "../../protocol/events.ts";

export class ReplayStates {
  readonly #folds: readonly AbilityFold<unknown>[];
  readonly #states: Map<string, unknown>;

  /** @param states Those that are not initial, by the name of their ability. */
  constructor(folds: readonly AbilityFold<unknown>[], states: readonly AbilityStateValue[]) {
    this.#folds = folds;
    this.#states = new Map(states.map(({ ability, state }) => [ability, state]));
  }

  read<State>({ name, initial }: AbilityFold<State>): State {
    return (this.#states.has(name) ? this.#states.get(name) : initial) as State;
  }

  set<State>({ name }: AbilityFold<State>, state: State): void {
    this.#states.set(name, state);
  }

  /** An event that a state cannot follow leaves it as it is, as in a session. */
  logged(event: LoggedEvent): void {
    for (const fold of this.#folds) {
      if (!readsType(fold, event.type)) continue;
      try {
        this.set(fold, advanceFold(fold, this.read(fold), event));
      } catch (error) {
        console.warn("a replayed event does not fit an ability's state", {
          ability: fold.name,
          error: String(error),
        });
      }
    }
  }
}
