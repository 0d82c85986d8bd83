// The session's shared state as it is now: the fold of the log's `shared_state_updated`, written with each of them.
import { applyPatch } from "../../agent/json/apply-patch.ts";
import type { VersionedState } from "../../agent/ports.ts";
import type { LoggedEvent } from "../../protocol/events.ts";
import { SHARED_STATE_UPDATED, type SharedStateUpdatedValue } from "../../protocol/shared-state.ts";

interface KeptState extends VersionedState {
  /** Of the event that made the version. */
  readonly seq: number;
}

const NOTHING: KeptState = { state: {}, version: 0, seq: 0 };

export class SharedStateTable {
  readonly #sql: SqlStorage;
  /** Asked for before each model call; the table is read once. */
  #kept: KeptState | null = null;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  read(): VersionedState {
    const { state, version } = this.#read();
    return { state, version };
  }

  /** The seq of the last change; 0 while there is no state. */
  get changedAt(): number {
    return this.#read().seq;
  }

  /** Part of the transaction of the event, which was checked against what {@link read} gave. */
  record(event: LoggedEvent): void {
    if (event.type !== "CUSTOM" || event.name !== SHARED_STATE_UPDATED) return;
    const { patch, version } = event.value as unknown as SharedStateUpdatedValue;
    const changed = applyPatch(this.read().state, patch);
    if (!changed.ok) throw new Error(`a change of the state does not fit it: ${changed.detail}`);
    const { state } = changed;
    this.#sql.exec(
      "INSERT OR REPLACE INTO shared_state (id, state, version, seq) VALUES (1, ?, ?, ?)",
      JSON.stringify(state),
      version,
      event.seq,
    );
    this.#kept = { state, version, seq: event.seq };
  }

  #read(): KeptState {
    this.#kept ??= this.#load();
    return this.#kept;
  }

  #load(): KeptState {
    const [row] = this.#sql
      .exec<{ state: string; version: number; seq: number }>(
        "SELECT state, version, seq FROM shared_state",
      )
      .toArray();
    if (!row) return NOTHING;
    const { version, seq } = row;
    return { state: JSON.parse(row.state) as KeptState["state"], version, seq };
  }
}
