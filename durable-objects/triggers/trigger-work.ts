// The work of a trigger when its alarm goes off. Each kind of work is put off before it is begun, in one commit: a machine that dies
// meanwhile leaves an alarm, and all of the work may be done twice.
import {
  ANNOUNCED_AT_ONCE,
  MAX_KEPT_RUNS,
  PURGE_RUNS_MS,
  PURGED_RUNS,
  RUN_KEPT_MS,
  RUN_WATCH_MS,
  RUNS_BEGUN_AT_ONCE,
  TRIGGER_RETRY_MS,
  TRIGGER_SUSPENDED_MS,
} from "../../protocol/triggers/limits.ts";
import { stableId } from "../../storage/statements/stable-id.ts";
import { reportTrigger } from "../../storage/triggers/trigger-registry.ts";
import { publishWebhooks, type WebhookMessage } from "../../storage/webhooks/webhook-publisher.ts";
import type { MonotonicIds } from "../log/monotonic-ids.ts";
import { makeDueRuns } from "./make-runs.ts";
import type { Run } from "./run-rows.ts";
import type { RunSteps } from "./run-steps.ts";
import { toArmed, type TriggerStanding } from "./trigger-standing.ts";
import type { TriggerTables } from "./trigger-tables.ts";
import type { TriggerTimer } from "./trigger-timers.ts";

interface WorkingTrigger {
  readonly env: Env;
  readonly tables: TriggerTables;
  readonly ids: MonotonicIds;
}

/** Work that is due; all of it is put off. */
interface DueWork {
  readonly kinds: ReadonlySet<TriggerTimer>;
  readonly runs: readonly Run[];
}

export class TriggerWork {
  readonly #trigger: WorkingTrigger;
  readonly #standing: TriggerStanding;
  readonly #steps: RunSteps;

  constructor(trigger: WorkingTrigger, standing: TriggerStanding, steps: RunSteps) {
    this.#trigger = trigger;
    this.#standing = standing;
    this.#steps = steps;
  }

  /** Contract: throws only when the storage fails; the platform then repeats the alarm. */
  async onAlarm(): Promise<void> {
    const due = this.#takeDue();
    if (!due) return;
    const { tables } = this.#trigger;
    await this.#runDue(due);
    if (tables.state && due.kinds.has("purge")) this.#purge();
    // Behind the runs, of which it tells.
    if (tables.state) await this.#tell("announce", () => this.#announce());
    if (tables.state) await this.#tell("report", () => this.#report());
  }

  #takeDue(): DueWork | null {
    const { tables } = this.#trigger;
    if (!tables.state) return null;
    const nowMs = Date.now();
    return tables.inTransaction(() => {
      const { timers } = tables;
      const kinds = timers.due(nowMs);
      const retryMs = nowMs + TRIGGER_RETRY_MS;
      for (const kind of kinds) timers.set(kind, retryMs);
      const runs = this.#takeRuns(nowMs, RUNS_BEGUN_AT_ONCE);
      return { kinds: new Set(kinds), runs };
    });
  }

  async #runDue({ kinds, runs }: DueWork): Promise<void> {
    const { tables } = this.#trigger;
    const isDue = kinds.has("schedule");
    const isBeginning = runs.some(({ phase }) => phase !== "begun");
    // A look at a reply that has begun needs nobody's leave.
    if (isDue || isBeginning) {
      const standing = await this.#read();
      if (standing === "gone") return tables.erase();
      if (standing !== "active") {
        const delayMs = standing === null ? TRIGGER_RETRY_MS : TRIGGER_SUSPENDED_MS;
        return this.#putOff(isDue, runs, delayMs);
      }
    }
    const made = isDue && tables.state ? this.#makeDue(RUNS_BEGUN_AT_ONCE - runs.length) : [];
    await Promise.all([...runs, ...made].map(({ id }) => this.#steps.advance(id)));
  }

  /** Makes the runs that are due by now. @returns those of them that are begun at once. */
  #makeDue(most: number): readonly Run[] {
    const { tables, ids } = this.#trigger;
    const nowMs = Date.now();
    return tables.inTransaction(() => {
      makeDueRuns(tables, ids, nowMs);
      return this.#takeRuns(nowMs, most);
    });
  }

  /** Puts runs off that are about to be taken on. Within a transaction. */
  #takeRuns(nowMs: number, most: number): readonly Run[] {
    const { runs } = this.#trigger.tables;
    const due = runs.due(nowMs, most);
    for (const run of due) runs.put({ ...run, due_at: nowMs + RUN_WATCH_MS });
    return due;
  }

  /** Null when D1 does not answer. */
  async #read(): Promise<Awaited<ReturnType<TriggerStanding["refresh"]>> | null> {
    try {
      return await this.#standing.refresh();
    } catch (error) {
      console.warn("a trigger could not read its row; will retry", { error: String(error) });
      return null;
    }
  }

  /** All that is due: what was not taken yet would wake the object at once. */
  #putOff(isDue: boolean, runs: readonly Run[], delayMs: number): void {
    const { tables } = this.#trigger;
    if (!tables.state) return;
    const nowMs = Date.now();
    const dueMs = nowMs + delayMs;
    tables.inTransaction(() => {
      if (isDue) tables.timers.set("schedule", dueMs);
      tables.runs.putOffDue(nowMs, dueMs);
      for (const { id } of runs) {
        const run = tables.runs.read(id);
        if (run && run.due_at !== null) tables.runs.put({ ...run, due_at: dueMs });
      }
    });
  }

  /** Does it where it is due by now, also by what was done since the alarm. Contract: never rejects. */
  async #tell(kind: "announce" | "report", tell: () => Promise<void>): Promise<void> {
    const { tables } = this.#trigger;
    const dueMs = tables.timers.read(kind);
    const nowMs = Date.now();
    if (dueMs === null || dueMs > nowMs + TRIGGER_RETRY_MS) return;
    const retryMs = nowMs + TRIGGER_RETRY_MS;
    tables.inTransaction(() => tables.timers.set(kind, retryMs));
    try {
      await tell();
      // Set anew since, it is due again.
      if (tables.state) tables.inTransaction(() => tables.timers.clearIf(kind, retryMs));
    } catch (error) {
      console.warn("a trigger could not tell what has become of it; it will", {
        kind,
        error: String(error),
      });
    }
  }

  async #announce(): Promise<void> {
    const { env, tables } = this.#trigger;
    for (;;) {
      const untold = tables.announcements(ANNOUNCED_AT_ONCE);
      const last = untold.at(-1);
      const { state } = tables;
      if (!last || !state) return;
      const { tenant_id, trigger_id } = state.armed;
      const messages = await Promise.all(
        untold.map(async ({ number, event }): Promise<WebhookMessage> => {
          const key = `${trigger_id}:${number}:${event.timestamp}`;
          return { id: await stableId("whm", Date.parse(event.timestamp), key), event };
        }),
      );
      await publishWebhooks(env, tenant_id, messages);
      if (!tables.state) return;
      tables.inTransaction(() => tables.removeAnnouncements(last.number));
    }
  }

  async #report(): Promise<void> {
    const { env, tables } = this.#trigger;
    const { state } = tables;
    if (!state) return;
    const { armed, ended, last_run_at, failures_in_row, missed_runs } = state;
    const { tenant_id, trigger_id: id } = armed;
    const counts = { last_run_at, failures_in_row, missed_runs };
    const row = await reportTrigger(env.DB, { id, tenant_id, ...counts, ended });
    if (!row || !tables.state) return;
    this.#standing.adopt(toArmed(row));
    const now = tables.state.ended;
    // The end was of a schedule, or of a state, that the trigger does not have any more.
    const isVain = ended !== null && now !== null && now.due_after === ended.due_after;
    if (isVain) tables.inTransaction(() => tables.write({ ended: null }));
  }

  #purge(): void {
    const { tables } = this.#trigger;
    const nowMs = Date.now();
    tables.inTransaction(() => {
      const before = new Date(nowMs - RUN_KEPT_MS).toISOString();
      const deleted = tables.runs.purge({ before, kept: MAX_KEPT_RUNS, most: PURGED_RUNS });
      const isAll = deleted < PURGED_RUNS;
      tables.timers.set("purge", nowMs + (isAll ? PURGE_RUNS_MS : 0));
    });
  }
}
