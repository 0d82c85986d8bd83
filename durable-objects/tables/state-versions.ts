// The shared state as it was when replies began: a reader of a reply in the middle of the log starts from there.
import type { StateObject } from "../../protocol/shared-state/events.ts";

export class StateVersions {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** Part of the commit with which a reply begins. No write for a version that is stored already. */
  keep(version: number, state: StateObject): void {
    this.#sql.exec(
      "INSERT OR IGNORE INTO shared_state_versions (version, state) VALUES (?, ?)",
      version,
      JSON.stringify(state),
    );
  }

  /** The state of a version with which a reply began; `{}` for 0 and for any other version. */
  at(version: number): StateObject {
    const [row] = this.#sql
      .exec<{ state: string }>("SELECT state FROM shared_state_versions WHERE version = ?", version)
      .toArray();
    return row ? (JSON.parse(row.state) as StateObject) : {};
  }
}
