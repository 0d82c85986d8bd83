import { applyPatch } from "../../agent/json/apply-patch.ts";
import type { AgUiHistory } from "../../protocol/dialects/ag-ui/history.ts";
import type { PatchOperation, StateObject } from "../../protocol/shared-state.ts";
import type { SessionTables } from "../tables/session-tables.ts";

/** What snapshots are made of, from the session's own tables. */
export class SessionHistory implements AgUiHistory {
  /** While a translator replays events that its reader has, its snapshots are dropped, and nothing is read for them. */
  isUnseen = false;
  readonly #tables: Pick<SessionTables, "stateVersions">;

  constructor(tables: Pick<SessionTables, "stateVersions">) {
    this.#tables = tables;
  }

  stateAt(version: number, patches: readonly (readonly PatchOperation[])[]): StateObject {
    if (this.isUnseen) return {};
    return patches.reduce((state, patch) => {
      const changed = applyPatch(state, patch);
      // A log from before versions were kept has none to begin with: what does not fit is left aside, as clients do.
      return changed.ok ? changed.state : state;
    }, this.#tables.stateVersions.at(version));
  }
}
