// The standing of a trigger: its row in D1, as far as the object knows it.
import { accept, refuse, type Result } from "../../protocol/errors.ts";
import {
  readRegistered,
  type RegisteredTrigger,
  type TriggerPlace,
} from "../../storage/triggers/trigger-registry.ts";
import type { ArmedTrigger } from "../api/trigger-api.ts";
import { armSchedule } from "./make-runs.ts";
import { PURGE_RUNS_MS } from "../../protocol/triggers/limits.ts";
import { statusOf, type TriggerTables } from "./trigger-tables.ts";

export class TriggerStanding {
  readonly #database: D1Database;
  readonly #place: TriggerPlace;
  readonly #tables: TriggerTables;

  constructor(database: D1Database, place: TriggerPlace, tables: TriggerTables) {
    this.#database = database;
    this.#place = place;
    this.#tables = tables;
  }

  /**
   * Takes a row that was read from D1, unless it is older than the one that is here. An object that has none looks in D1 first:
   * one that was erased is not made again by a late call. @throws when D1 fails.
   */
  async take(trigger: ArmedTrigger): Promise<Result<null>> {
    const { tenant_id, id } = this.#place;
    if (trigger.tenant_id !== tenant_id || trigger.trigger_id !== id) return NO_TRIGGER;
    if (!this.#tables.state) {
      const found = await readRegistered(this.#database, this.#place);
      if (!found) return NO_TRIGGER;
    }
    this.adopt(trigger);
    return accept(null);
  }

  /**
   * Reads the row, and takes it over. @returns `gone` for a trigger that is deleted or whose tenant is closed.
   * @throws when D1 fails.
   */
  async refresh(): Promise<"active" | "suspended" | "gone"> {
    const found = await readRegistered(this.#database, this.#place);
    if (!found || found.tenant_status === "closed") return "gone";
    if (this.#tables.state) this.adopt(toArmed(found.trigger));
    return found.tenant_status;
  }

  /** In one commit with the timer of its schedule. */
  adopt(trigger: ArmedTrigger): void {
    const tables = this.#tables;
    const before = tables.state;
    if (before && before.armed.revision >= trigger.revision) return;
    tables.inTransaction(() => {
      if (before) {
        const isOther = before.armed.due_after !== trigger.due_after;
        const wasPaused = statusOf(before) === "paused";
        const isResumed = isOther && wasPaused && trigger.status === "active";
        // An end of its own that D1 has, or that is of another schedule, is told.
        const isTold = isOther || trigger.status !== "active";
        tables.write({
          armed: trigger,
          ...(isOther && { decided_at: Date.parse(trigger.due_after) }),
          ...(isTold && { ended: null }),
          ...(isResumed && { failures_in_row: 0 }),
        });
      } else {
        tables.begin(trigger);
        tables.timers.set("purge", Date.now() + PURGE_RUNS_MS);
      }
      armSchedule(tables);
    });
  }
}

const NO_TRIGGER = refuse("not_found", "there is no such trigger");

export function toArmed({ id, ...trigger }: RegisteredTrigger): ArmedTrigger {
  return { ...trigger, trigger_id: id };
}
