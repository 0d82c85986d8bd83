// The Durable Object with the memories of one agent and end user, or of one agent. It is registered in D1 before its first
// memory is written, so that whoever has to erase it finds it; one without memories answers every question with nothing.
import { DurableObject } from "cloudflare:workers";

import type {
  MemoryOutcome,
  MemoryResult,
  Recall,
  RecordRequest,
} from "../../agent/memory-store.ts";
import { accept, refuse, type Result } from "../../protocol/errors.ts";
import type { Memory, MemoryVersion, RedactedMemory } from "../../protocol/memory/contract.ts";
import type { MemoryConsolidation } from "../../protocol/memory/consolidation.ts";
import type { Page } from "../../protocol/schemas/common.ts";
import type {
  ConsolidationCall,
  ExportedPage,
  ListMemories,
  MemoryApi,
  SearchCall,
  StoreCall,
  WriteCall,
  WrittenMemory,
} from "../api/memory-api.ts";
import type { Once } from "../api/session-api.ts";
import { ConsolidationTable } from "./consolidation-table.ts";
import { tellUsage } from "./consolidation-usage.ts";
import type { ConsolidatedStore } from "./consolidated-store.ts";
import { correctMemory, findRefusal, NO_MEMORY } from "./correct-memory.ts";
import { exportPage } from "./export-page.ts";
import { MonotonicIds } from "../log/monotonic-ids.ts";
import { toPage } from "../../storage/statements/page.ts";
import { hashContent } from "./hash-content.ts";
import { MemoryTables } from "./memory-tables.ts";
import { MergedTable } from "./merged-table.ts";
import { recordParts } from "./record-memories.ts";
import { RecordTable } from "./record-table.ts";
import { recallFailure, searchStore, type StoreSearch } from "./search-store.ts";
import { StoreConsolidations } from "./store-consolidations.ts";
import { StoreTimers } from "./store-timers.ts";
import { StoreVectors } from "./store-vectors.ts";
import { StoreWrites } from "./store-writes.ts";
import { VersionTable } from "./version-table.ts";
import type { GivenMemory } from "./write-memory.ts";

export class MemoryObject extends DurableObject<Env> implements MemoryApi {
  readonly #tables: MemoryTables;
  readonly #versions: VersionTable;
  readonly #records: RecordTable;
  readonly #timers: StoreTimers;
  readonly #writes: StoreWrites;
  readonly #vectors: StoreVectors;
  readonly #ids: MonotonicIds;
  readonly #merged: MergedTable;
  readonly #jobs: ConsolidationTable;
  readonly #consolidations: StoreConsolidations;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    const storeId = (ctx.id.name ?? "").split(":")[1] ?? "";
    this.#tables = new MemoryTables(ctx.storage);
    this.#versions = new VersionTable(ctx.storage.sql, storeId);
    this.#records = new RecordTable(ctx.storage.sql);
    const { storage } = ctx;
    this.#timers = new StoreTimers(storage, this.#tables);
    const bindings = { storage, database: env.DB, storeId };
    this.#writes = new StoreWrites(bindings, this.#tables, this.#timers);
    this.#vectors = new StoreVectors(env, this.#tables, this.#timers);
    this.#ids = new MonotonicIds(...this.#tables.newestIds());
    this.#merged = new MergedTable(this.#tables);
    this.#jobs = new ConsolidationTable(storage.sql);
    this.#consolidations = new StoreConsolidations(this.#consolidated);
  }

  async recall(call: SearchCall): Promise<MemoryResult<Recall>> {
    const found = await this.#search(call);
    if (!found.ok) return { ok: false, failure: recallFailure(found.refusal) };
    const { memories, note } = found.value;
    const recalled = memories.map(({ id, content, untrusted, version }) => {
      return { id, content, untrusted, version };
    });
    return { ok: true, value: { memories: recalled, note } };
  }

  async search(call: SearchCall): Promise<Result<StoreSearch>> {
    return this.#search(call);
  }

  async record(
    call: StoreCall & RecordRequest,
  ): Promise<MemoryResult<{ readonly outcomes: readonly MemoryOutcome[] }>> {
    const given = await Promise.all(
      call.memories.map(async (memory) => {
        const content = memory.content.trim().toWellFormed();
        return { ...memory, content, sha256: await hashContent(content) };
      }),
    );
    const sessionId = call.memories[0]?.source.session_id ?? null;
    const written = await this.#writes.writeParts(
      call,
      sessionId,
      this.#recordParts(call.record_id, given),
    );
    if (!written.ok) return { ok: false, failure: recallFailure(written.refusal) };
    this.#vectors.follow(call);
    return { ok: true, value: { outcomes: written.value.at(-1) ?? [] } };
  }

  gone(memoryIds: readonly string[]): Promise<readonly string[]> {
    return Promise.resolve(this.#tables.store ? this.#tables.gone(memoryIds) : memoryIds);
  }

  async open(call: StoreCall): Promise<Result<{ readonly created_at: string }>> {
    return this.#writes.write(call, null, () => ({
      created_at: this.#tables.store?.created_at ?? "",
    }));
  }

  list({ limit, before, path }: ListMemories): Promise<Page<Memory>> {
    const memories = this.#tables.store ? this.#tables.list(limit + 1, before, path) : [];
    return Promise.resolve(toPage(memories, limit));
  }

  read(memoryId: string): Promise<Result<Memory>> {
    const memory = this.#tables.store && this.#tables.read(memoryId);
    return Promise.resolve(memory ? accept(memory) : refuse("not_found", NO_MEMORY));
  }

  async write(call: WriteCall): Promise<Result<WrittenMemory>> {
    const { content, path = null, record_id } = call;
    const given: GivenMemory = {
      content,
      sha256: await hashContent(content),
      path,
      untrusted: null,
      source: null,
    };
    const parts = this.#recordParts(record_id, [given]);
    const written = await this.#writes.writeParts(call, null, parts);
    if (!written.ok) return written;
    this.#vectors.follow(call);
    const [outcome] = written.value.at(-1) ?? [];
    if (!outcome) throw new Error("a memory was neither written nor refused");
    if (outcome.kind === "refused") return refuse("memory_store_full", outcome.detail);
    const memory = this.#tables.read(outcome.memory_id);
    return memory
      ? accept({ kind: outcome.kind, memory })
      : refuse("not_found", "the memory was deleted after it was written");
  }

  async correct({
    memory_id,
    change,
    if_versions,
    ...call
  }: Parameters<MemoryApi["correct"]>[0]): Promise<Result<Memory>> {
    const { content } = change;
    const sha256 = content === undefined ? undefined : await hashContent(content);
    const refused = findRefusal(this.#tables, memory_id, if_versions);
    // A store that is not there is not made.
    if (refused) return refused;
    const settings = { ids: this.#ids, now: new Date().toISOString() };
    const written = await this.#writes.write(call, null, () => {
      const stale = findRefusal(this.#tables, memory_id, if_versions);
      return stale ?? correctMemory(this.#tables, { memory_id, change, sha256 }, settings);
    });
    this.#vectors.follow(call);
    return written.ok ? written.value : written;
  }

  async forget(memoryId: string, ifVersions: readonly number[] | undefined): Promise<Result<null>> {
    return this.#writes.inTurn(async () => {
      const refused = findRefusal(this.#tables, memoryId, ifVersions);
      if (refused) return refused;
      await this.#writes.commit(() => {
        this.#merged.remove(memoryId);
        this.#jobs.forgetChoice();
      });
      return accept(null);
    });
  }

  listVersions({
    memoryId,
    before,
    limit,
  }: Parameters<MemoryApi["listVersions"]>[0]): Promise<Page<MemoryVersion>> {
    const versions = this.#tables.store ? this.#versions.list(limit + 1, before, memoryId) : [];
    return Promise.resolve(toPage(versions, limit));
  }

  readVersion(versionId: string): Promise<Result<MemoryVersion>> {
    const version = this.#tables.store && this.#versions.read(versionId);
    return Promise.resolve(
      version ? accept(version) : refuse("not_found", "there is no such version"),
    );
  }

  async redact(versionId: string): Promise<Result<RedactedMemory>> {
    return this.#writes.inTurn(async () => {
      const version = this.#tables.store && this.#versions.read(versionId);
      if (!version) return refuse("not_found", "there is no such version");
      const { memory_id, redacted_at } = version;
      const now = redacted_at ?? new Date().toISOString();
      const version_ids = await this.#writes.commit(() => {
        this.#jobs.forgetChoice();
        return this.#merged.redact(memory_id, now);
      });
      return accept({ memory_id, version_ids: [...version_ids], redacted_at: now });
    });
  }

  beginConsolidation(call: ConsolidationCall): Promise<Once<MemoryConsolidation>> {
    return this.#consolidations.begin(call);
  }

  listConsolidations({
    limit,
    before,
  }: Parameters<MemoryApi["listConsolidations"]>[0]): Promise<Page<MemoryConsolidation>> {
    return Promise.resolve(this.#consolidations.list(limit, before));
  }

  readConsolidation(id: string): Promise<Result<MemoryConsolidation>> {
    return Promise.resolve(this.#consolidations.read(id));
  }

  cancelConsolidation(id: string): Promise<Once<MemoryConsolidation>> {
    return this.#consolidations.cancel(id);
  }

  export(after: string): Promise<ExportedPage> {
    return Promise.resolve(exportPage(this.#tables, this.#versions, after));
  }

  async erase(before?: string): Promise<void> {
    await this.#writes.inTurn(async () => {
      const madeAt = this.#tables.store?.created_at;
      // A store of the same owner that was made after this erasure had begun is another one.
      if (before !== undefined && madeAt !== undefined && madeAt > before) return;
      this.#consolidations.stop();
      // Usage is billed, also that of a job that goes with its store.
      await tellUsage(this.#consolidated);
      await this.#tables.erase();
    });
  }

  /** An alarm that an earlier version has set is for whatever there is to do. */
  override async alarm(): Promise<void> {
    const due = new Set(this.#timers.due(Date.now()));
    const isOlder = this.#timers.isEmpty;
    if (due.has("consolidate")) this.#consolidations.onTimer();
    if (isOlder || due.has("report")) {
      await this.#writes.inTurn(() => this.#writes.report());
    }
    if (isOlder || due.has("usage")) await tellUsage(this.#consolidated);
    if (isOlder || due.has("embed")) await this.#vectors.embedSome();
    this.#timers.rearm();
  }

  get #consolidated(): ConsolidatedStore {
    return {
      env: this.env,
      tables: this.#tables,
      merged: this.#merged,
      jobs: this.#jobs,
      timers: this.#timers,
      writes: this.#writes,
      vectors: this.#vectors,
      ids: this.#ids,
      sync: () => this.ctx.storage.sync(),
      inBackground: (work) => this.ctx.waitUntil(work),
    };
  }

  async #search(call: SearchCall): Promise<Result<StoreSearch>> {
    const found = await searchStore(this.#tables, this.#vectors, call);
    this.#vectors.follow(call);
    return found;
  }

  #recordParts(recordId: string, memories: readonly GivenMemory[]) {
    const place = { tables: this.#tables, records: this.#records, ids: this.#ids };
    return recordParts(place, recordId, memories);
  }
}
