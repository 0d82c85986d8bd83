// Keeps the vectors of a store up to date behind its writes, by the object's alarm: a write does not wait for an endpoint, and
// one that fails is asked again.
import type { EmbeddingDefinition } from "../../protocol/memory/contract.ts";
import {
  EMBED_AFTER_MS,
  EMBED_SEARCH_MS,
  EMBED_STORED_MS,
  EMBEDDED_AT_ONCE,
  STORE_REPORT_RETRY_MS,
  SURELY_EMBEDDED_CHARACTERS,
} from "../../protocol/memory/limits.ts";
import type { StoreCall } from "../api/memory-api.ts";
import { embedTexts } from "./embed-texts.ts";
import type { KeptEmbedding } from "./memory-rows.ts";
import type { MemoryTables } from "./memory-tables.ts";
import { VectorTables } from "./vector-tables.ts";

const OTHER_MODEL =
  "searched by words alone: the memories are embedded with the endpoint of another version of the agent";

export class StoreVectors {
  readonly #env: Env;
  readonly #storage: DurableObjectStorage;
  readonly #tables: MemoryTables;
  readonly #vectors: VectorTables;
  /** Memories up to this one have been looked at for missing vectors: a large store is gone through once, not for each request. */
  #lookedAt = "";

  constructor(env: Env, storage: DurableObjectStorage, tables: MemoryTables) {
    this.#env = env;
    this.#storage = storage;
    this.#tables = tables;
    this.#vectors = new VectorTables(storage.sql);
  }

  /**
   * The endpoint of the newest version of the agent. Sets the alarm when there is something to embed. Sessions that keep an
   * older version change nothing: each of their searches would have all memories embedded anew.
   */
  async follow({
    embedding,
    agent_version = 0,
  }: Pick<StoreCall, "embedding" | "agent_version">): Promise<void> {
    const { store } = this.#tables;
    if (!store || embedding === null) return;
    const kept = store.embedding && (JSON.parse(store.embedding) as KeptEmbedding);
    if (kept && kept.agent_version > agent_version) return;
    const next = JSON.stringify({ ...embedding, agent_version } satisfies KeptEmbedding);
    if (store.embedding !== next) {
      this.#tables.inTransaction(() => this.#tables.setEmbedding(next));
    }
    const isOther = this.#vectors.model !== modelOf(embedding);
    if (isOther || this.#vectors.count < store.memories) await this.#wakeIn(EMBED_AFTER_MS);
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
    return { memoryIds: vector ? this.#vectors.nearest(vector).memoryIds : [], note: null };
  }

  /** Embeds some memories that have no vector yet. Contract: never rejects. */
  async embedSome(): Promise<void> {
    const text = this.#tables.store?.embedding ?? null;
    if (text === null) return;
    const embedding = JSON.parse(text) as EmbeddingDefinition;
    this.#tables.inTransaction(() => this.#vectors.useModel(modelOf(embedding)));
    const missing = this.#findMissing();
    const texts = missing.map(({ memory_id }) => this.#tables.read(memory_id)?.content ?? "");
    const tenantId = this.#tables.store?.owner.tenant_id;
    if (missing.length === 0 || tenantId === undefined) return;
    const request = { tenantId, embedding, timeoutMs: EMBED_STORED_MS };
    let embedded = await embedTexts(this.#env, { ...request, texts });
    if (!embedded.ok && embedded.isOfTexts) {
      // One text that is too long for the model would keep all memories from being embedded.
      const begun = texts.map((one) => one.slice(0, SURELY_EMBEDDED_CHARACTERS).toWellFormed());
      embedded = await embedTexts(this.#env, { ...request, texts: begun });
    }
    if (!embedded.ok) {
      console.warn("memory: memories could not be embedded; they will", {
        detail: embedded.detail,
      });
      return this.#wakeIn(STORE_REPORT_RETRY_MS);
    }
    // Erased meanwhile.
    if (!this.#tables.store) return;
    this.#tables.inTransaction(() => {
      for (const [index, { memory_id, version_id }] of missing.entries()) {
        const vector = embedded.vectors[index];
        // One that was corrected, deleted or redacted meanwhile is another text.
        if (this.#tables.read(memory_id)?.version_id === version_id) {
          // Of a text without a direction there is one that is like no other, so that it is not asked for again.
          this.#vectors.put(memory_id, vector ?? new Int8Array(1));
        }
      }
    });
    this.#lookedAt = missing.at(-1)?.memory_id ?? "";
    if (this.#vectors.count < this.#tables.store.memories) await this.#wakeIn(EMBED_AFTER_MS);
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

  async #wakeIn(delayMs: number): Promise<void> {
    const due = await this.#storage.getAlarm();
    const next = Date.now() + delayMs;
    if (due === null || due > next) await this.#storage.setAlarm(next);
  }
}

/** The model, address and size by which vectors can be compared. */
function modelOf({ name, base_url, dimensions }: EmbeddingDefinition): string {
  return JSON.stringify([name, base_url ?? null, dimensions ?? null]);
}
