import { applyPatch } from "../../agent/json/apply-patch.ts";
import type { AgUiHistory } from "../../protocol/dialects/ag-ui/history.ts";
import type { PatchOperation } from "../../protocol/json-patch.ts";
import type { StateObject } from "../../protocol/shared-state/events.ts";
import { listAbilities } from "../../tools/list-abilities.ts";
import type { SessionTables } from "../tables/session-tables.ts";

/** The shared state for AG-UI's snapshots, from the session's tables, and the deployment's activities. */
export class SessionHistory implements AgUiHistory {
  /**
   * Set while a translator replays events that its reader has: its snapshots are dropped, so nothing is read for them.
   */
  isUnseen = false;
  readonly activities = listAbilities().flatMap(({ shows }) => shows ?? []);
  readonly #tables: Pick<SessionTables, "stateVersions">;

  constructor(tables: Pick<SessionTables, "stateVersions">) {
    this.#tables = tables;
  }

  stateAt(version: number, patches: readonly (readonly PatchOperation[])[]): StateObject {
    if (this.isUnseen) return {};
    return patches.reduce((state, patch) => {
      const changed = applyPatch(state, patch);
      // Without the stored version to begin with, a patch may not fit: it is ignored, as clients do.
      return changed.ok ? changed.state : state;
    }, this.#tables.stateVersions.at(version));
  }
}
