// The current states of abilities: folds of the log, written in the transaction of the events that change them.
import type { AbilityFold } from "../../agent/ability.ts";
import { advanceFold, readsType } from "../../agent/advance-fold.ts";
import type { LoggedEvent } from "../../protocol/events.ts";

interface KeptState {
  readonly state: unknown;
  /** The seq of the event that changed it last; 0 while it is the initial one. */
  readonly seq: number;
}

export class AbilityStates {
  readonly #sql: SqlStorage;
  /** The folds of every ability of the deployment that has a state. */
  readonly folds: readonly AbilityFold<unknown>[];
  /** By name. Read before each model call. */
  readonly #kept = new Map<string, KeptState>();
  /** The rows of the table, which is read once; each is parsed when its state is asked for. */
  #rows: Map<string, { readonly state: string; readonly seq: number }> | null = null;

  constructor(sql: SqlStorage, folds: readonly AbilityFold<unknown>[]) {
    this.#sql = sql;
    this.folds = folds;
  }

  read<State>(fold: AbilityFold<State>): State {
    return this.#read(fold).state as State;
  }

  /** The seq of the event that changed it last; 0 while it is the initial one. */
  changedAt(fold: AbilityFold<unknown>): number {
    return this.#read(fold).seq;
  }

  /**
   * Part of the transaction of the events. No write for events that change no state. An event that a state cannot follow
   * is in the log all the same: throwing here would end the object, and again with each event that follows.
   */
  record(events: readonly LoggedEvent[]): void {
    for (const event of events) {
      for (const fold of this.folds) {
        if (!readsType(fold, event.type)) continue;
        const advanced = this.#advance(fold, event);
        if (advanced) this.#write(fold, { state: advanced.state, seq: event.seq });
      }
    }
  }

  /** Null when the event changes nothing, or the state cannot be read, or its fold fails. */
  #advance(fold: AbilityFold<unknown>, event: LoggedEvent): Pick<KeptState, "state"> | null {
    try {
      const { state: before } = this.#read(fold);
      const state = advanceFold(fold, before, event);
      return state === before ? null : { state };
    } catch (error) {
      console.error("an event does not fit an ability's state", { ability: fold.name, error });
      return null;
    }
  }

  #write({ name }: AbilityFold<unknown>, kept: KeptState): void {
    this.#sql.exec(
      "INSERT OR REPLACE INTO ability_states (name, state, seq) VALUES (?, ?, ?)",
      name,
      JSON.stringify(kept.state),
      kept.seq,
    );
    this.#kept.set(name, kept);
  }

  #read(fold: AbilityFold<unknown>): KeptState {
    const kept = this.#kept.get(fold.name) ?? this.#load(fold);
    this.#kept.set(fold.name, kept);
    return kept;
  }

  #load({ name, initial }: AbilityFold<unknown>): KeptState {
    this.#rows ??= new Map(
      this.#sql
        .exec<{ name: string; state: string; seq: number }>(
          "SELECT name, state, seq FROM ability_states",
        )
        .toArray()
        .map((row) => [row.name, row]),
    );
    const row = this.#rows.get(name);
    if (!row) return { state: initial, seq: 0 };
    const state: unknown = JSON.parse(row.state);
    this.#rows.delete(name);
    return { state, seq: row.seq };
  }
}
