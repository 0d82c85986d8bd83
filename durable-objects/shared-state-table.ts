// The session's shared state as it is now: the fold of the log's `state_updated`, written with each of them.
import { applyPatch } from "../agent/apply-patch.ts";
import type { VersionedState } from "../agent/ports.ts";
import type { LoggedEvent } from "../protocol/events.ts";
import { STATE_UPDATED, type StateUpdatedValue } from "../protocol/shared-state.ts";

const NOTHING: VersionedState = { state: {}, version: 0 };

export class SharedStateTable {
  readonly #sql: SqlStorage;
  /** Asked for before each model call; the table is read once. */
  #kept: VersionedState | null = null;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  read(): VersionedState {
    this.#kept ??= this.#load();
    return this.#kept;
  }

  /** Part of the transaction of the event, which was checked against what {@link read} gave. */
  record(event: LoggedEvent): void {
    if (event.type !== "CUSTOM" || event.name !== STATE_UPDATED) return;
    const { patch, version } = event.value as unknown as StateUpdatedValue;
    const changed = applyPatch(this.read().state, patch);
    if (!changed.ok) throw new Error(`a change of the state does not fit it: ${changed.detail}`);
    const { state } = changed;
    this.#sql.exec(
      "INSERT OR REPLACE INTO shared_state (id, state, version) VALUES (1, ?, ?)",
      JSON.stringify(state),
      version,
    );
    this.#kept = { state, version };
  }

  #load(): VersionedState {
    const [row] = this.#sql
      .exec<{ state: string; version: number }>("SELECT state, version FROM shared_state")
      .toArray();
    if (!row) return NOTHING;
    return { state: JSON.parse(row.state) as VersionedState["state"], version: row.version };
  }
}
