// A snapshot of an ability's state in the log: the first events of a fork and of an import, and where a reader may begin.
import type { AgentEvent, EventOf } from "./events.ts";

/** The `name` of the `CUSTOM` event; its `value` is an {@link AbilityStateValue}. */
export const ABILITY_STATE = "ability_state";

export interface AbilityStateValue {
  /** The name of the ability, such as `shared_state`. */
  readonly ability: string;
  /** The whole state, as JSON. It replaces what events before it made. */
  readonly state: unknown;
}

/** Null when the event is no snapshot. */
export function abilityStateOf(event: AgentEvent): AbilityStateValue | null {
  if (event.type !== "CUSTOM" || event.name !== ABILITY_STATE) return null;
  return readSnapshot(event);
}

function readSnapshot({ value }: EventOf<"CUSTOM">): AbilityStateValue | null {
  const { ability, state } = value;
  return typeof ability === "string" && state !== undefined ? { ability, state } : null;
}
