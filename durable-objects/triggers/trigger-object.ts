// The Durable Object of one trigger: its schedule on the platform's alarm, its runs, and what it has to tell. It does what its row
// in D1 says, which it reads before it makes or begins a run: that is where a trigger is paused, changed and deleted.
import { DurableObject } from "cloudflare:workers";

import { accept, refuse, type Result } from "../../protocol/errors.ts";
import type { Page } from "../../protocol/schemas/common.ts";
import type { TriggerContext, TriggerRun } from "../../protocol/triggers/contract.ts";
import { targetOf } from "../../protocol/triggers/target.ts";
import { toPage } from "../../storage/statements/page.ts";
import type { Once } from "../api/session-api.ts";
import type {
  ArmedTrigger,
  ListRuns,
  ManualRun,
  TriggerApi,
  DeliveredWebhook,
} from "../api/trigger-api.ts";
import { MonotonicIds } from "../log/monotonic-ids.ts";
import { eraseEndUser } from "./erase-end-user.ts";
import { makeRun } from "./make-runs.ts";
import { runIdOf, viewRun, type Run } from "./run-rows.ts";
import { RunSteps } from "./run-steps.ts";
import { TriggerStanding } from "./trigger-standing.ts";
import { statusOf, TriggerTables } from "./trigger-tables.ts";
import { TriggerWork } from "./trigger-work.ts";

export class TriggerObject extends DurableObject<Env> implements TriggerApi {
  readonly #tables: TriggerTables;
  readonly #ids: MonotonicIds;
  readonly #standing: TriggerStanding;
  readonly #steps: RunSteps;
  readonly #work: TriggerWork;
  readonly #place: { readonly tenant_id: string; readonly id: string };

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    const [tenant_id = "", id = ""] = (ctx.id.name ?? "").split(":");
    this.#place = { tenant_id, id };
    const tables = new TriggerTables(ctx.storage);
    this.#tables = tables;
    this.#ids = new MonotonicIds(tables.state && tables.runs.newestId);
    const parts = { env, tables, ids: this.#ids };
    this.#standing = new TriggerStanding(env.DB, this.#place, tables);
    this.#steps = new RunSteps(parts);
    this.#work = new TriggerWork(parts, this.#standing, this.#steps);
    ctx.waitUntil(this.#restoreAlarm());
  }

  configure(trigger: ArmedTrigger): Promise<Result<null>> {
    return this.#standing.take(trigger);
  }

  async runByHand({ trigger, request_id, ...subject }: ManualRun): Promise<Once<TriggerRun>> {
    const occasion = `m:${request_id ?? crypto.randomUUID()}`;
    return this.#makeRun(trigger, { context: { type: "manual" }, occasion, subject });
  }

  async takeWebhook(delivery: DeliveredWebhook): Promise<Once<TriggerRun>> {
    const { trigger, sender_id, payload_sha256, ...subject } = delivery;
    const context: TriggerContext = { type: "webhook", sender_id, payload_sha256 };
    return this.#makeRun(trigger, { context, occasion: `w:${sender_id}`, subject });
  }

  listRuns({ limit, before, status }: ListRuns): Promise<Page<TriggerRun>> {
    const runs = this.#tables.state ? this.#tables.runs.list(limit + 1, before, status) : [];
    return Promise.resolve(toPage(runs.map(this.#view), limit));
  }

  readRun(runId: string): Promise<Result<TriggerRun>> {
    const run = this.#tables.state && this.#tables.runs.read(runId);
    return Promise.resolve(run ? accept(this.#view(run)) : NO_RUN);
  }

  async noteSession(sessionId: string): Promise<void> {
    this.#lookAt(this.#tables.state ? this.#tables.runs.openIn(sessionId) : []);
  }

  async noteMessage(messageId: string): Promise<void> {
    const run = this.#tables.state && this.#tables.runs.read(runIdOf(messageId));
    this.#lookAt(run && run.due_at !== null ? [run] : []);
  }

  async forgetEndUser(endUserId: string): Promise<void> {
    await eraseEndUser(this.#tables, this.#steps, endUserId);
    await this.ctx.storage.sync();
  }

  erase(): Promise<void> {
    return this.#tables.erase();
  }

  override alarm(): Promise<void> {
    return this.#work.onAlarm();
  }

  #lookAt(runs: readonly Run[]): void {
    const open = runs.filter(({ phase }) => phase === "begun" || phase === "asked");
    if (open.length === 0) return;
    this.#tables.inTransaction(() => {
      for (const run of open) this.#tables.runs.put({ ...run, due_at: Date.now() });
    });
    for (const { id } of open) this.#steps.note(id);
  }

  readonly #view = (run: Run): TriggerRun => {
    const { state } = this.#tables;
    return viewRun(this.#place.id, state ? targetOf(state.armed.definition).room_id : null, run);
  };

  /** Sets an alarm again that the platform has given up. Contract: never rejects. */
  async #restoreAlarm(): Promise<void> {
    try {
      if (!this.#tables.state || (await this.ctx.storage.getAlarm()) !== null) return;
      if (this.#tables.state) this.#tables.inTransaction(() => undefined);
    } catch (error) {
      console.warn("a trigger's alarm could not be looked at", { error: String(error) });
    }
  }

  /** Resolves when the run is on disk. */
  async #makeRun(
    trigger: ArmedTrigger,
    occasion: Parameters<typeof makeRun>[2],
  ): Promise<Once<TriggerRun>> {
    const taken = await this.#standing.take(trigger);
    if (!taken.ok) return taken;
    const tables = this.#tables;
    const made = tables.inTransaction(() => {
      const { state } = tables;
      const isPaused = state !== null && statusOf(state) === "paused";
      const isKnown = state !== null && tables.runs.readOf(occasion.occasion) !== null;
      if (isPaused && occasion.context.type === "webhook" && !isKnown) return PAUSED;
      return makeRun(tables, this.#ids, occasion);
    });
    if (!made.ok) return made;
    await this.ctx.storage.sync();
    const { run, isNew } = made.value;
    const shown = accept(this.#view(run));
    return isNew ? shown : { ...shown, is_replayed: true };
  }
}

const NO_RUN = refuse("not_found", "there is no such run");
const PAUSED = refuse(
  "trigger_paused",
  "the trigger is paused: webhooks are taken again once it is unpaused",
);
