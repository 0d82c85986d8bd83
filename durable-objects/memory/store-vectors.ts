// Keeps the vectors of a store up to date behind its writes, by the object's alarm: a write does not wait for an endpoint, and
// one that fails is asked again.
import type { EmbeddingDefinition } from "../../protocol/memory/contract.ts";
import {
  DEFAULT_MIN_SIMILARITY,
  EMBED_AFTER_MS,
  EMBED_RETRY_MS,
  EMBED_SEARCH_MS,
  EMBED_STORED_MS,
  EMBED_SUSPENDED_MS,
  EMBED_WATCH_MS,
  EMBEDDED_AT_ONCE,
  MAX_EMBED_RETRY_MS,
} from "../../protocol/memory/limits.ts";
import type { StoreCall } from "../api/memory-api.ts";
import { embedInParts } from "./embed-in-parts.ts";
import { embedTexts, type Embedded } from "./embed-texts.ts";
import { readJson, type KeptEmbedding, type StoreRow } from "./memory-rows.ts";
import type { MemoryTables } from "./memory-tables.ts";
import { isTenantActive } from "./store-room.ts";
import type { StoreTimers } from "./store-timers.ts";
import { VectorTables } from "./vector-tables.ts";

const OTHER_MODEL =
  "searched by words alone: the memories are embedded with the endpoint of another version of the agent";

export class StoreVectors {
  readonly #env: Env;
  readonly #tables: MemoryTables;
  readonly #timers: StoreTimers;
  readonly #vectors: VectorTables;
  /** Memories up to this one have been looked at for missing vectors: a large store is gone through once, not for each request. */
  #lookedAt = "";

  constructor(env: Env, tables: MemoryTables, timers: StoreTimers) {
    this.#env = env;
    this.#tables = tables;
    this.#timers = timers;
    this.#vectors = new VectorTables(tables.sql);
  }

  /**
   * The endpoint of the newest version of the agent; one that this version has no more is not asked again. Sets the timer when
   * there is something to embed. Sessions that keep an older version change nothing: each of their searches would have all
   * memories embedded anew.
   */
  follow({ embedding, agent_version = 0 }: Pick<StoreCall, "embedding" | "agent_version">): void {
    const { store } = this.#tables;
    if (!store) return;
    const kept = readJson<KeptEmbedding>(store.embedding);
    if (kept ? kept.agent_version > agent_version : embedding === null) return;
    // A call of the same version without an endpoint does not know it.
    if (kept?.agent_version === agent_version && embedding === null) return;
    const next = JSON.stringify({ ...embedding, agent_version } satisfies KeptEmbedding);
    if (store.embedding !== next) {
      this.#tables.inTransaction(() => {
        this.#tables.setEmbedding(next);
        // An endpoint that has failed may be another one now.
        this.#timers.clear("embed");
      });
    }
    this.catchUp();
  }

  /** Sets the timer when there is something to embed. While the endpoint fails it is asked no sooner for it. */
  catchUp(): void {
    const { store } = this.#tables;
    if (!store) return;
    const embedding = endpointOf(store);
    if (!embedding) return;
    const isOther = this.#vectors.model !== modelOf(embedding);
    if (!isOther && this.#vectors.count >= store.memories) return;
    if ((this.#timers.read("embed")?.tries ?? 0) > 0) return;
    this.#timers.setBy("embed", Date.now() + EMBED_AFTER_MS);
  }

  /** Memories that mean something similar, the nearest first; a note when the endpoint has failed. */
  async find(
    texts: readonly string[],
    embedding: EmbeddingDefinition,
  ): Promise<{ readonly memoryIds: readonly string[]; readonly note: string | null }> {
    const { store } = this.#tables;
    const model = store && this.#vectors.model;
    if (!store || model === null) return { memoryIds: [], note: null };
    if (model !== modelOf(embedding)) return { memoryIds: [], note: OTHER_MODEL };
    const request = { tenantId: store.owner.tenant_id, embedding, texts: [texts.join("\n")] };
    const embedded = await embedTexts(this.#env, { ...request, timeoutMs: EMBED_SEARCH_MS });
    if (!embedded.ok) {
      return { memoryIds: [], note: `searched by words alone: ${embedded.detail}` };
    }
    const [vector] = embedded.vectors;
    // Erased meanwhile.
    if (!vector || !this.#tables.store) return { memoryIds: [], note: null };
    const { min_similarity = DEFAULT_MIN_SIMILARITY } = embedding;
    return { memoryIds: this.#vectors.nearest(vector, min_similarity).memoryIds, note: null };
  }

  /** Embeds some memories that have no vector yet. Contract: never rejects. */
  async embedSome(): Promise<void> {
    const { store } = this.#tables;
    if (!store) return;
    const { embedding: text } = store;
    const embedding = endpointOf(store);
    if (!embedding) return this.#timers.clear("embed");
    this.#tables.inTransaction(() => this.#vectors.useModel(modelOf(embedding)));
    const missing = this.#findMissing();
    if (missing.length === 0) return this.#timers.clear("embed");
    const texts = missing.map(({ memory_id }) => this.#tables.read(memory_id)?.content ?? "");
    const tries = this.#timers.read("embed")?.tries ?? 0;
    // On disk before the endpoint is asked: an object that is lost meanwhile is woken for it again.
    this.#timers.set("embed", Date.now() + EMBED_WATCH_MS, tries);
    const embedded = await this.#embed(store.owner.tenant_id, embedding, texts);
    // Erased meanwhile, or given another endpoint.
    if (this.#tables.store?.embedding !== text) return;
    if (embedded === "suspended") {
      return this.#timers.set("embed", Date.now() + EMBED_SUSPENDED_MS, tries);
    }
    if (!embedded.ok) {
      console.warn("memory: memories could not be embedded; they will", {
        detail: embedded.detail,
      });
      const waitMs = Math.min(EMBED_RETRY_MS * 2 ** Math.min(tries, 10), MAX_EMBED_RETRY_MS);
      return this.#timers.set("embed", Date.now() + waitMs, tries + 1);
    }
    this.#tables.inTransaction(() => {
      for (const [index, { memory_id, version_id }] of missing.entries()) {
        const vector = embedded.vectors[index];
        // One that was corrected, deleted or redacted meanwhile is another text.
        if (this.#tables.read(memory_id)?.version_id === version_id) {
          // Of a text without a direction there is one that is like no other, so that it is not asked for again.
          this.#vectors.put(memory_id, vector ?? new Int8Array(1));
        }
      }
      this.#timers.clear("embed");
    });
    this.#lookedAt = missing.at(-1)?.memory_id ?? "";
    this.catchUp();
  }

  #findMissing(): readonly { readonly memory_id: string; readonly version_id: string }[] {
    const count = this.#tables.store?.memories ?? 0;
    if (this.#vectors.count >= count) return [];
    const found = this.#vectors.missing(this.#lookedAt, EMBEDDED_AT_ONCE);
    // One before it was changed since.
    if (found.length === 0 && this.#lookedAt !== "") {
      this.#lookedAt = "";
      return this.#findMissing();
    }
    return found;
  }

  /** Nothing is asked for a tenant that is suspended. */
  async #embed(
    tenantId: string,
    embedding: EmbeddingDefinition,
    texts: readonly string[],
  ): Promise<Embedded | "suspended"> {
    try {
      if (!(await isTenantActive(this.#env.DB, tenantId))) return "suspended";
    } catch (error) {
      return { ok: false, detail: `the tenant could not be looked up: ${String(error)}` };
    }
    const request = { tenantId, embedding, timeoutMs: EMBED_STORED_MS };
    return embedInParts((part) => embedTexts(this.#env, { ...request, texts: part }), texts);
  }
}

/** Null where the agent has none, or has none any more. */
function endpointOf({ embedding }: Pick<StoreRow, "embedding">): EmbeddingDefinition | null {
  const kept = readJson<KeptEmbedding>(embedding);
  return kept?.name === undefined ? null : kept;
}

/** The model, address and size by which vectors can be compared. */
function modelOf({ name, base_url, dimensions }: EmbeddingDefinition): string {
  return JSON.stringify([name, base_url ?? null, dimensions ?? null]);
}
