import type { ShownActivity } from "../../protocol/dialects/ag-ui/activity-view.ts";
import { listAbilities } from "../../tools/list-abilities.ts";
import type { SessionTables } from "../tables/session-tables.ts";

/** Activities of a session in which nothing runs. */
export function shownAbilities({
  abilities,
}: Pick<SessionTables, "abilities">): readonly ShownActivity[] {
  return listAbilities().flatMap(({ state, shows }) =>
    state && shows ? shows.show(shows.of(abilities.read(state))) : [],
  );
}
