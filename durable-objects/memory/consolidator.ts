// Consolidations of a store: work of the object that its timer begins, and begins again after a crash, one batch after the other.
//
// The order of the writes of a batch: an attempt is counted before it is made, the model's choice and what it has used are on
// disk before anything is done by it, and one commit has the new versions and the place of the next batch. So no crash loses or
// doubles a memory.
import type { UsedAside } from "../../agent/memory/ask-aside.ts";
import type { ConsolidationError } from "../../protocol/memory/consolidation.ts";
import { CONSOLIDATION_CHECK_MS, MAX_CONSOLIDATION_TRIES } from "../../protocol/memory/limits.ts";
import { LEASE_RENEWAL_MS } from "../../protocol/quotas/limits.ts";
import type { MonotonicIds } from "../log/monotonic-ids.ts";
import type { SessionTenant } from "../tenants/session-tenant.ts";
import { applyChoice } from "./apply-choice.ts";
import { askChanges } from "./ask-changes.ts";
import type { ConsolidatedStore } from "./consolidated-store.ts";
import { countedOf, ofRefusal, openJobTenant, type Step } from "./consolidation-quota.ts";
import { isOver, type BatchChoice, type StoredConsolidation } from "./consolidation-rows.ts";
import { hashContent } from "./hash-content.ts";
import { tellUsage, tokensOf, withUsed } from "./consolidation-usage.ts";
import { selectBatch } from "./select-batch.ts";

const NEXT: Step = { type: "next" };
const STOPPED: Step = { type: "stopped" };
const LATER: Step = { type: "later", waitMs: CONSOLIDATION_CHECK_MS };

export class Consolidator {
  readonly #store: ConsolidatedStore;
  #stop = new AbortController();
  #isRunning = false;

  constructor(store: ConsolidatedStore) {
    this.#store = store;
  }

  /** The job that runs was cancelled, or the store is being erased. */
  stop(): void {
    this.#stop.abort();
    this.#stop = new AbortController();
  }

  /** The timer's handler, also for a job that has just begun. */
  onTimer(): void {
    const { timers, jobs, tables, inBackground } = this.#store;
    if (this.#isRunning) return timers.set("consolidate", Date.now() + CONSOLIDATION_CHECK_MS);
    const job = tables.store && jobs.readOpen();
    if (!job) return timers.clear("consolidate");
    this.#isRunning = true;
    inBackground(this.#run(job.id, this.#stop.signal));
  }

  /** One batch after the other, until the job has ended or has to wait. Contract: never rejects. */
  async #run(id: string, stop: AbortSignal): Promise<void> {
    const { tables, jobs, timers, sync } = this.#store;
    const tenant = openJobTenant(this.#store, id, () => this.stop());
    try {
      for (let isOpen = true; isOpen;) {
        // On disk before the attempt: an object that is lost meanwhile is woken for it again.
        timers.set("consolidate", Date.now() + CONSOLIDATION_CHECK_MS);
        const step = await this.#step(id, tenant, stop);
        const now = tables.store && jobs.read(id);
        // Erased or cancelled meanwhile: the timer may be another one's now.
        if (!now || (isOver(now) && step.type !== "next")) return;
        if (step.type === "later") timers.set("consolidate", Date.now() + step.waitMs);
        if (step.type === "failed") this.#fail(id, step.error);
        await sync();
        await tellUsage(this.#store);
        const job = tables.store && jobs.read(id);
        isOpen = step.type === "next" && job !== null && !isOver(job);
      }
    } catch (error) {
      // The timer is set still: it is done again.
      console.error("a consolidation has failed", { consolidation_id: id, error: String(error) });
    } finally {
      this.#isRunning = false;
      await this.#leave(id, tenant);
    }
  }

  async #step(id: string, tenant: SessionTenant, stop: AbortSignal): Promise<Step> {
    const { tables, jobs, sync } = this.#store;
    const job = tables.store && jobs.read(id);
    if (!job || isOver(job)) return STOPPED;
    if (job.choice) return this.#write(job, job.choice);
    if (!job.place) return this.#write(job, NOTHING_LEFT);
    if (job.tries >= MAX_CONSOLIDATION_TRIES) {
      const message = "The platform was lost each time that it was at this batch.";
      return { type: "failed", error: { code: "internal", message } };
    }
    const started_at = job.started_at ?? new Date().toISOString();
    jobs.update({ ...job, status: "running", started_at, tries: job.tries + 1 });
    await sync();
    const batch = tables.store && (await selectBatch(tables, job.place));
    if (!batch || stop.aborted) return this.#putOff(id, STOPPED);
    const { memories, read, next } = batch;
    // There is nothing beside which one memory alone could be wrong.
    if (memories.length < 2) return this.#choose(id, { ...NOTHING_LEFT, read, next });
    const refused = this.#refuseTokens(job) ?? (await this.#admit(job, tenant));
    if (refused) return this.#putOff(id, refused);
    const asked = await this.#ask(job, memories, tenant, stop);
    if (asked.type === "stopped" || !tables.store) {
      const cut = asked.type === "stopped" && asked.used;
      // The provider counts it, though nobody reads the answer.
      if (cut) this.#update(id, (now) => withUsed(now, cut));
      return this.#putOff(id, STOPPED);
    }
    if (asked.type === "unavailable") return this.#putOff(id, LATER);
    const { used } = asked;
    if (asked.type === "chosen") return this.#choose(id, { ...asked.choice, read, next }, used);
    if (used) this.#update(id, (now) => withUsed(now, used));
    const isLast = !asked.mayBeAskedAgain || job.tries + 1 >= MAX_CONSOLIDATION_TRIES;
    return isLast ? { type: "failed", error: asked.error } : NEXT;
  }

  async #ask(
    job: StoredConsolidation,
    memories: Parameters<typeof askChanges>[0]["memories"],
    tenant: SessionTenant,
    stop: AbortSignal,
  ): ReturnType<typeof askChanges> {
    const { env, tables, ids } = this.#store;
    const owner = tables.store?.owner;
    if (!owner) return { type: "stopped" };
    // A lease that ends would free the place of a running reply; and the tenant may be suspended meanwhile.
    const renewal = setInterval(() => void tenant.checkBeside(countedOf(job)), LEASE_RENEWAL_MS);
    try {
      const newId: MonotonicIds["next"] = (prefix) => ids.next(prefix);
      return await askChanges({ env, owner, job, memories, newId, stop });
    } finally {
      clearInterval(renewal);
    }
  }

  /** The job's own bound. */
  #refuseTokens({ request: { max_tokens }, used }: StoredConsolidation): Step | null {
    if (max_tokens === null || tokensOf(used) < max_tokens) return null;
    const message = `Its model calls have used ${tokensOf(used)} tokens, and max_tokens is ${max_tokens}.`;
    return { type: "failed", error: { code: "max_tokens", message } };
  }

  async #admit(job: StoredConsolidation, tenant: SessionTenant): Promise<Step | null> {
    const admitted = await tenant.checkBeside(countedOf(job));
    return admitted.ok ? null : ofRefusal(admitted.refusal);
  }

  /** An attempt that did not come to the model's answer is none. */
  #putOff(id: string, step: Step): Step {
    if (step.type === "later" || step.type === "stopped") {
      this.#update(id, (job) => ({ ...job, tries: Math.max(0, job.tries - 1) }));
    }
    return step;
  }

  /** The choice is on disk when it resolves. */
  async #choose(id: string, choice: BatchChoice, used?: UsedAside): Promise<Step> {
    this.#update(id, (job) => ({ ...(used ? withUsed(job, used) : job), choice }));
    await this.#store.sync();
    return NEXT;
  }

  /** One commit. */
  async #write(job: StoredConsolidation, choice: BatchChoice): Promise<Step> {
    const { tables, merged, jobs, timers, writes, vectors, ids } = this.#store;
    if (!tables.store) return STOPPED;
    const texts = choice.changes.flatMap(({ content }) => content ?? []);
    const hashes = new Map(
      await Promise.all(texts.map(async (text) => [text, await hashContent(text)] as const)),
    );
    const work = (): void => {
      const now = jobs.read(job.id);
      // Cancelled, or to be chosen again, since what it says has to go.
      if (!now || isOver(now) || (job.choice !== null && now.choice === null)) return;
      const at = new Date().toISOString();
      const done = applyChoice(tables, choice, { merged, hashes, ids, now: at });
      const { counts } = now;
      const { next } = choice;
      jobs.update({
        ...now,
        counts: {
          memories: counts.memories,
          read: counts.read + choice.read,
          written: counts.written + done.written,
          superseded: counts.superseded + done.superseded,
          skipped: counts.skipped + done.skipped,
        },
        choice: null,
        place: next,
        tries: 0,
        status: next ? "running" : "completed",
        ended_at: next ? null : at,
      });
      if (!next) timers.clear("consolidate");
    };
    const written =
      choice.changes.length === 0
        ? await writes.inTurn(async () => tables.store && writes.commit(work))
        : await writes.change(work);
    vectors.catchUp();
    if (written && !written.ok) return ofRefusal(written.refusal);
    return NEXT;
  }

  #fail(id: string, error: ConsolidationError): void {
    const { jobs, timers } = this.#store;
    const job = jobs.read(id);
    if (!job || isOver(job)) return;
    const ended_at = new Date().toISOString();
    jobs.update({ ...job, status: "failed", error, choice: null, ended_at });
    timers.clear("consolidate");
  }

  /** No effect on a job that has ended meanwhile, but that what it has used is counted. */
  #update(id: string, change: (job: StoredConsolidation) => StoredConsolidation): void {
    const { tables, jobs, timers } = this.#store;
    const job = tables.store && jobs.read(id);
    if (!job) return;
    const { used, calls, ...changed } = change(job);
    if (calls > job.calls) timers.setBy("usage", Date.now() + CONSOLIDATION_CHECK_MS);
    jobs.update(isOver(job) ? { ...job, used, calls } : { ...changed, used, calls });
  }

  async #leave(id: string, tenant: SessionTenant): Promise<void> {
    const { tables, jobs } = this.#store;
    const job = tables.store && jobs.read(id);
    await tenant.leave([{ reply_id: id, usage: job?.used?.usage ?? null }]);
    // One that was begun when this one was cancelled.
    const next = tables.store && jobs.readOpen();
    if (next && next.id !== id) this.onTimer();
  }
}

const NOTHING_LEFT: BatchChoice = { changes: [], versions: {}, skipped: 0, read: 0, next: null };
