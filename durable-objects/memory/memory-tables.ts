// The tables of a memory store. A memory is a row that names its newest version, and has a place: the order in which memories
// were last written, which is also the row of the index, so that a search goes through the newest first.
import type { MemoryTerms } from "../../agent/memory/memory-terms.ts";
import { memoryTermsOf } from "../../agent/memory/memory-terms.ts";
import type { Memory } from "../../protocol/memory/contract.ts";
import { MAX_MEMORY_VERSIONS } from "../../protocol/memory/limits.ts";
import type { MemoryOwner } from "../../storage/memory/store-id.ts";
import { toMemory, type MemoryRow, type NewVersion, type StoreRow } from "./memory-rows.ts";
import { blanked, LATER_MEMORY_SCHEMA, MEMORY_SCHEMA } from "./memory-schema.ts";
import { VectorTables } from "./vector-tables.ts";

const MEMORY = `SELECT m.memory_id, m.version_id, m.version, m.path, m.created_at, v.source, v.untrusted, v.supersedes,
  v.content, v.content_sha256, v.created_at AS updated_at
  FROM memories m JOIN versions v ON v.version_id = m.version_id AND v.memory_id = m.memory_id`;

export class MemoryTables {
  readonly #storage: DurableObjectStorage;
  readonly sql: SqlStorage;
  readonly #vectors: VectorTables;
  #store: StoreRow | null = null;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
    this.sql = storage.sql;
    this.#vectors = new VectorTables(storage.sql);
    const made = this.sql.exec("SELECT 1 FROM sqlite_schema WHERE name = 'store'").toArray();
    if (made.length === 0) return;
    this.sql.exec(LATER_MEMORY_SCHEMA);
    this.#store = this.#readStore();
  }

  /** Null for a store without a registration; it has no memories. */
  get store(): StoreRow | null {
    return this.#store;
  }

  /** Whether the store is of this owner; one that is not made yet is of any. */
  isOf({ tenant_id, agent_id, end_user_id }: MemoryOwner): boolean {
    const owner = this.#store?.owner;
    if (!owner) return true;
    const { tenant_id: tenant, agent_id: agent, end_user_id: endUser } = owner;
    return tenant === tenant_id && agent === agent_id && endUser === end_user_id;
  }

  get #storeId(): string {
    return this.#store?.store_id ?? "";
  }

  get bytes(): number {
    return this.#store ? this.sql.databaseSize : 0;
  }

  begin(storeId: string, owner: MemoryOwner, createdAt: string): void {
    this.#storage.transactionSync(() => {
      this.sql.exec(MEMORY_SCHEMA);
      this.sql.exec(LATER_MEMORY_SCHEMA);
      const values = [storeId, JSON.stringify(owner), createdAt];
      this.sql.exec("INSERT INTO store VALUES (1, ?, ?, ?, 1, 0, NULL)", ...values);
    });
    this.#store = this.#readStore();
  }

  async erase(): Promise<void> {
    this.#store = null;
    await this.#storage.deleteAlarm();
    await this.#storage.deleteAll();
  }

  /** One commit. */
  inTransaction<Value>(work: () => Value): Value {
    try {
      return this.#storage.transactionSync(work);
    } finally {
      // Also of one that was rolled back.
      this.#store = this.#readStore();
    }
  }

  setEmbedding(embedding: string): void {
    this.sql.exec("UPDATE store SET embedding = ?", embedding);
  }

  read(memoryId: string): Memory | null {
    return this.#one(`${MEMORY} WHERE m.memory_id = ?`, memoryId);
  }

  readAt(path: string): Memory | null {
    return this.#one(`${MEMORY} WHERE m.path = ?`, path);
  }

  /** A memory whose newest version has this content. */
  readSame(contentSha256: string): Memory | null {
    return this.#one(`${MEMORY} WHERE v.content_sha256 = ? LIMIT 1`, contentSha256);
  }

  /** In the order of the places. */
  readPlaces(places: readonly number[]): readonly Memory[] {
    const rows = this.sql
      .exec<MemoryRow & { place: number }>(
        `${MEMORY.replace("SELECT", "SELECT m.place,")} WHERE m.place IN (SELECT value FROM json_each(?))`,
        JSON.stringify(places),
      )
      .toArray();
    const found = new Map(rows.map((row) => [row.place, toMemory(this.#storeId, row)]));
    return places.flatMap((place) => found.get(place) ?? []);
  }

  placesOf(memoryIds: readonly string[]): readonly number[] {
    return memoryIds.flatMap((id) =>
      this.sql
        .exec<{ place: number }>("SELECT place FROM memories WHERE memory_id = ?", id)
        .toArray()
        .map(({ place }) => place),
    );
  }

  /** The newest first. */
  list(limit: number, before: string | undefined, path: string | undefined): readonly Memory[] {
    const below = path === undefined ? null : `${path}/`;
    return this.sql
      .exec<MemoryRow>(
        `${MEMORY} WHERE m.memory_id < ?1 AND (?2 IS NULL OR m.path = ?2 OR (m.path > ?3 AND m.path < ?4))
         ORDER BY m.memory_id DESC LIMIT ?5`,
        before ?? "n",
        path ?? null,
        below,
        below === null ? null : `${below.slice(0, -1)}0`,
        limit,
      )
      .toArray()
      .map((row) => toMemory(this.#storeId, row));
  }

  gone(memoryIds: readonly string[]): readonly string[] {
    return this.sql
      .exec<{ id: string }>(
        `SELECT value AS id FROM json_each(?)
         WHERE value NOT IN (SELECT memory_id FROM memories WHERE memory_id = value)`,
        JSON.stringify(memoryIds),
      )
      .toArray()
      .map(({ id }) => id);
  }

  /** Writes a new memory, or the next version of one that is there. */
  put(version: NewVersion): Memory {
    const before = this.read(version.memory_id);
    const number = (before?.version ?? 0) + 1;
    this.sql.exec(
      "INSERT INTO versions VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, NULL, ?, ?)",
      version.version_id,
      version.memory_id,
      number,
      version.operation,
      version.path,
      version.source && JSON.stringify(version.source),
      version.untrusted && JSON.stringify(version.untrusted),
      before?.version_id ?? null,
      version.created_at,
      version.content_sha256,
      version.content,
    );
    const terms = memoryTermsOf(version.content);
    const place = this.#takePlace();
    if (before) this.#unindex(version.memory_id);
    else this.sql.exec("UPDATE store SET memories = memories + 1");
    this.sql.exec(
      `INSERT INTO memories VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT (memory_id) DO UPDATE
       SET place = ?2, version_id = ?3, version = ?4, terms = ?5, path = ?6`,
      version.memory_id,
      place,
      version.version_id,
      number,
      terms.plain.length + terms.pairs.length,
      version.path,
      version.created_at,
    );
    this.#index(place, terms);
    this.#dropOldVersions(version.memory_id, number);
    const written = this.read(version.memory_id);
    if (!written) throw new Error("a memory that was just written is not there");
    return written;
  }

  /** Deletes a memory with all its versions. */
  remove(memoryId: string): void {
    this.unlist(memoryId);
    this.#blank(memoryId);
    this.sql.exec("DELETE FROM versions WHERE memory_id = ?", memoryId);
  }

  /** @returns the ids of the versions whose content is gone. */
  redact(memoryId: string, redactedAt: string): readonly string[] {
    this.unlist(memoryId);
    this.#blank(memoryId);
    return this.sql
      .exec<{ version_id: string }>(
        `UPDATE versions SET content = NULL, content_sha256 = NULL, path = NULL,
           redacted_at = coalesce(redacted_at, ?) WHERE memory_id = ? RETURNING version_id`,
        redactedAt,
        memoryId,
      )
      .toArray()
      .map(({ version_id }) => version_id);
  }

  /** The greatest ids that were made here. */
  newestIds(): readonly (string | null)[] {
    if (!this.#store) return [];
    const [row] = this.sql
      .exec<{ memory: string | null; version: string | null }>(
        "SELECT (SELECT max(memory_id) FROM memories) AS memory, (SELECT max(version_id) FROM versions) AS version",
      )
      .toArray();
    return [row?.memory ?? null, row?.version ?? null];
  }

  /** Takes a memory out of lists and searches; its versions stay. */
  unlist(memoryId: string): void {
    this.#unindex(memoryId);
    const { rowsWritten } = this.sql.exec("DELETE FROM memories WHERE memory_id = ?", memoryId);
    if (rowsWritten > 0) this.sql.exec("UPDATE store SET memories = memories - 1");
  }

  /**
   * Writes over the content of versions first: a row that is deleted leaves its bytes in the file until they are needed.
   * @param newest Of the versions that go; all of them when it is left out.
   */
  #blank(memoryId: string, newest = Number.MAX_SAFE_INTEGER): void {
    this.sql.exec(
      `UPDATE versions SET content = ${blanked("content")}
       WHERE memory_id = ? AND version <= ? AND content IS NOT NULL`,
      memoryId,
      newest,
    );
  }

  #dropOldVersions(memoryId: string, newest: number): void {
    if (newest <= MAX_MEMORY_VERSIONS) return;
    const last = newest - MAX_MEMORY_VERSIONS;
    this.#blank(memoryId, last);
    this.sql.exec("DELETE FROM versions WHERE memory_id = ? AND version <= ?", memoryId, last);
  }

  #takePlace(): number {
    const [row] = this.sql
      .exec<{ place: number }>(
        "UPDATE store SET next_place = next_place + 1 RETURNING next_place - 1 AS place",
      )
      .toArray();
    return row?.place ?? 1;
  }

  #index(place: number, { plain, pairs, parts }: MemoryTerms): void {
    const columns = [plain, pairs, parts].map((terms) => terms.join(" "));
    this.sql.exec(
      "INSERT INTO words (rowid, plain, pairs, parts) VALUES (?, ?, ?, ?)",
      place,
      ...columns,
    );
  }

  /** Of a text that is another one, or gone: its vector goes too. */
  #unindex(memoryId: string): void {
    this.#vectors.remove(memoryId);
    const place = "SELECT place FROM memories WHERE memory_id = ?";
    this.sql.exec(`DELETE FROM words WHERE rowid = (${place})`, memoryId);
  }

  #readStore(): StoreRow | null {
    const [row] = this.sql
      .exec<Omit<StoreRow, "owner"> & { owner: string }>("SELECT * FROM store")
      .toArray();
    return row ? { ...row, owner: JSON.parse(row.owner) as MemoryOwner } : null;
  }

  #one(query: string, key: string): Memory | null {
    const [row] = this.sql.exec<MemoryRow>(query, key).toArray();
    return row ? toMemory(this.#storeId, row) : null;
  }
}
