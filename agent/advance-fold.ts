// Applies one event to the state of an ability.
import { abilityStateOf } from "../protocol/ability-state.ts";
import type { LoggedEvent } from "../protocol/events.ts";
import type { AbilityFold } from "./ability.ts";

/** A snapshot of this ability replaces the state; other events are applied when the fold reads their type. */
export function advanceFold<State>(
  fold: AbilityFold<State>,
  state: State,
  event: LoggedEvent,
): State {
  const snapshot = abilityStateOf(event);
  if (snapshot) return snapshot.ability === fold.name ? (snapshot.state as State) : state;
  return fold.reads.some((type) => type === event.type) ? fold.advance(state, event) : state;
}

/** Whether {@link advanceFold} may change the state at an event of this type. */
export function readsType({ reads }: AbilityFold<unknown>, type: LoggedEvent["type"]): boolean {
  return type === "CUSTOM" || reads.some((read) => read === type);
}
