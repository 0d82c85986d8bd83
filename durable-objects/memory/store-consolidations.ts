// The consolidations of a store as requests begin, see and cancel them.
import { accept, refuse, type Result } from "../../protocol/errors.ts";
import type { MemoryConsolidation } from "../../protocol/memory/consolidation.ts";
import type { Page } from "../../protocol/schemas/common.ts";
import { readAgentSnapshot } from "../../storage/agents/agent-snapshot.ts";
import { toPage } from "../../storage/statements/page.ts";
import type { ConsolidationCall } from "../api/memory-api.ts";
import type { Once } from "../api/session-api.ts";
import { chosenModels, refuseModelOptions } from "../settings/chosen-models.ts";
import { countedOf, ofRefusal, openJobTenant } from "./consolidation-quota.ts";
import { isOver, viewConsolidation, type StoredConsolidation } from "./consolidation-rows.ts";
import { readStoreRoom, refuseBytes } from "./store-room.ts";
import type { ConsolidatedStore } from "./consolidated-store.ts";
import { Consolidator } from "./consolidator.ts";

export class StoreConsolidations {
  readonly #store: ConsolidatedStore;
  readonly #consolidator: Consolidator;

  constructor(store: ConsolidatedStore) {
    this.#store = store;
    this.#consolidator = new Consolidator(store);
  }

  /** Resolves when the job is on disk. One of the same request is the one that it has begun. */
  async begin(call: ConsolidationCall): Promise<Once<MemoryConsolidation>> {
    const { owner, request_id, model, instructions = null, max_tokens = null } = call;
    const { env, tables, jobs, timers, vectors, ids, sync } = this.#store;
    if (!tables.store || !tables.isOf(owner)) return NO_STORE;
    const known = this.#findKnown(request_id);
    if (known) return known;
    const { tenant_id, agent_id } = owner;
    const snapshot = await readAgentSnapshot(env.DB, tenant_id, agent_id, "latest");
    if (!snapshot) return NO_STORE;
    const { definition: agent, version: agent_version } = snapshot;
    // Texts of a consolidation are embedded as those of people are.
    vectors.follow({ embedding: agent.memory?.embedding ?? null, agent_version });
    const [chosen] = chosenModels(agent, model) ?? [];
    if (!chosen) return refuseModelOptions({ agent }, { model }) ?? NO_STORE;
    // A consolidation writes versions, however few memories it leaves.
    const room = await readStoreRoom(env.DB, tenant_id);
    if (room !== null && room.fullBytes !== null) return refuseBytes(room.fullBytes);
    const job = newJob(ids.next("memcon"), {
      model_name: chosen.name,
      instructions,
      max_tokens,
    });
    const tenant = openJobTenant(this.#store, job.id, () => undefined);
    const admitted = await tenant.checkBeside(countedOf(job));
    // For all else it waits, as for the place of a running reply.
    if (!admitted.ok && ofRefusal(admitted.refusal).type === "failed") return admitted;
    // Another request may have begun one, or the store may be gone.
    const now = tables.store ? this.#findKnown(request_id) : NO_STORE;
    if (now) {
      await tenant.leave([]);
      return now;
    }
    const begun = tables.inTransaction(() => {
      const all = tables.store?.memories ?? 0;
      const [until = null] = tables.newestIds();
      const made: StoredConsolidation = {
        ...job,
        place: until === null ? null : { of: "trusted", after: "", until },
        counts: { ...job.counts, memories: all },
      };
      jobs.add(made, request_id);
      timers.set("consolidate", Date.now());
      return made;
    });
    await sync();
    this.#consolidator.onTimer();
    return accept(this.#view(begun));
  }

  list(limit: number, before: string | undefined): Page<MemoryConsolidation> {
    const { tables, jobs } = this.#store;
    const found = tables.store ? jobs.list(limit + 1, before) : [];
    return toPage(
      found.map((job) => this.#view(job)),
      limit,
    );
  }

  read(id: string): Result<MemoryConsolidation> {
    const job = this.#find(id);
    return job ? accept(this.#view(job)) : NO_CONSOLIDATION;
  }

  /** Resolves when it is on disk. One that has ended stays as it is. */
  async cancel(id: string): Promise<Once<MemoryConsolidation>> {
    const { jobs, timers, sync, tables } = this.#store;
    const job = this.#find(id);
    if (!job) return NO_CONSOLIDATION;
    if (isOver(job)) return { ...accept(this.#view(job)), is_replayed: true };
    const ended_at = new Date().toISOString();
    tables.inTransaction(() => {
      jobs.update({ ...job, status: "cancelled", choice: null, ended_at });
      timers.clear("consolidate");
    });
    this.#consolidator.stop();
    await sync();
    return this.read(id);
  }

  /** The timer's handler. */
  onTimer(): void {
    this.#consolidator.onTimer();
  }

  /** The store is being erased. */
  stop(): void {
    this.#consolidator.stop();
  }

  /** The job that the same request has begun, or a refusal while another one goes on; null for neither. */
  #findKnown(requestId: string | null): Once<MemoryConsolidation> | null {
    const { jobs } = this.#store;
    const same = requestId === null ? null : jobs.readOfRequest(requestId);
    if (same) return { ...accept(this.#view(same)), is_replayed: true };
    const open = jobs.readOpen();
    if (!open) return null;
    const detail = `the consolidation ${open.id} of this store goes on; wait for its end, or cancel it`;
    return refuse("conflict", detail, { extensions: { consolidation_id: open.id } });
  }

  #find(id: string): StoredConsolidation | null {
    const { tables, jobs } = this.#store;
    return tables.store && jobs.read(id);
  }

  #view(job: StoredConsolidation): MemoryConsolidation {
    return viewConsolidation(this.#store.tables.store?.store_id ?? "", job);
  }
}

const NO_STORE = refuse("not_found", "there is no such memory store");
const NO_CONSOLIDATION = refuse("not_found", "there is no such consolidation");

function newJob(id: string, request: StoredConsolidation["request"]): StoredConsolidation {
  return {
    id,
    status: "queued",
    request,
    place: null,
    choice: null,
    tries: 0,
    counts: { memories: 0, read: 0, written: 0, superseded: 0, skipped: 0 },
    used: null,
    calls: 0,
    told_calls: 0,
    error: null,
    created_at: new Date().toISOString(),
    started_at: null,
    ended_at: null,
  };
}
