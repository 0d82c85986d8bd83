import type { Session } from "../../protocol/sessions/contract.ts";
import { listAbilities } from "../../tools/list-abilities.ts";
import type { AbilityStates } from "../tables/ability-states.ts";

/** Members of a session that show the states of its abilities. */
export function sessionMembers(states: Pick<AbilityStates, "read">): Partial<Session> {
  return Object.assign(
    {},
    ...listAbilities().map((ability) =>
      ability.state && ability.views ? ability.views(states.read(ability.state)) : {},
    ),
  ) as Partial<Session>;
}
