// Embeddings of memories: a dense list of slots, so that a search reads no holes. The codes of all are read, in rows of some
// hundred, and the vectors of the nearest.
import { CODE_WORDS, codeDistance, codeOf, similarity } from "../../agent/memory/quantise.ts";
import {
  CODE_BITS,
  CODES_OF_A_ROW,
  COMPARED_VECTORS,
  RANKED_VECTORS,
} from "../../protocol/memory/limits.ts";

interface NearestMemories {
  /** The nearest first. */
  readonly memoryIds: readonly string[];
  readonly bytesRead: number;
}

/** A memory whose text is to be embedded, in the version that it has. */
interface MissingVector extends Record<string, string> {
  readonly memory_id: string;
  readonly version_id: string;
}

export class VectorTables {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** By the last slot: to count them would read a row for each, at every search. */
  get count(): number {
    const [row] = this.#sql
      .exec<{ last: number | null }>("SELECT max(slot) AS last FROM vectors")
      .toArray();
    return (row?.last ?? -1) + 1;
  }

  /** Null before the first vector. */
  get model(): string | null {
    const [row] = this.#sql.exec<{ model: string }>("SELECT model FROM vector_model").toArray();
    return row?.model ?? null;
  }

  /** Vectors of two models cannot be compared: those of another one go. */
  useModel(model: string): void {
    if (this.model === model) return;
    this.#sql.exec("DELETE FROM vectors");
    this.#sql.exec("DELETE FROM codes");
    this.#sql.exec("INSERT OR REPLACE INTO vector_model VALUES (1, ?)", model);
  }

  /** Memories whose text has no vector yet, by id. @param after Those behind this id; all when it is empty. */
  missing(after: string, most: number): readonly MissingVector[] {
    return this.#sql
      .exec<MissingVector>(
        `SELECT memory_id, version_id FROM memories WHERE memory_id > ?
         AND memory_id NOT IN (SELECT v.memory_id FROM vectors v WHERE v.memory_id = memories.memory_id)
         ORDER BY memory_id LIMIT ?`,
        after,
        most,
      )
      .toArray();
  }

  put(memoryId: string, vector: Int8Array): void {
    this.remove(memoryId);
    const slot = this.count;
    this.#sql.exec("INSERT INTO vectors VALUES (?, ?, ?)", slot, memoryId, toBuffer(vector));
    this.#writeCode(slot, codeOf(vector));
  }

  /** The last slot takes the place of the one that is free. */
  remove(memoryId: string): void {
    const last = this.count - 1;
    const [row] = this.#sql
      .exec<{ slot: number }>("DELETE FROM vectors WHERE memory_id = ? RETURNING slot", memoryId)
      .toArray();
    if (!row) return;
    if (row.slot !== last) {
      this.#sql.exec("UPDATE vectors SET slot = ? WHERE slot = ?", row.slot, last);
      this.#writeCode(row.slot, this.#readCode(last));
    }
    this.#writeCode(last, new Uint32Array(CODE_WORDS));
    if (last % CODES_OF_A_ROW === 0) {
      this.#sql.exec("DELETE FROM codes WHERE number = ?", last / CODES_OF_A_ROW);
    }
  }

  /** @param least The likeness that a memory has to have, from 0 to 1: the nearest of all may mean something else. */
  nearest(vector: Int8Array, least: number): NearestMemories {
    const code = codeOf(vector);
    const distances = new Uint16Array(this.count);
    let bytesRead = 0;
    const rows = this.#sql.exec<CodeRow>("SELECT number, codes FROM codes ORDER BY number");
    for (const { number, codes } of rows) {
      const words = new Uint32Array(codes);
      bytesRead += codes.byteLength;
      const first = number * CODES_OF_A_ROW;
      const count = Math.min(CODES_OF_A_ROW, distances.length - first);
      for (let index = 0; index < count; index += 1) {
        distances[first + index] = codeDistance(code, words, index * CODE_WORDS);
      }
    }
    const nearest = leastDistant(distances);
    const compared = this.#sql
      .exec<{ memory_id: string; vector: ArrayBuffer }>(
        "SELECT memory_id, vector FROM vectors WHERE slot IN (SELECT value FROM json_each(?))",
        JSON.stringify(nearest),
      )
      .toArray()
      .map((row) => {
        bytesRead += row.vector.byteLength;
        return { id: row.memory_id, likeness: similarity(vector, new Int8Array(row.vector)) };
      })
      .filter(({ likeness }) => likeness >= least)
      .sort((one, other) => other.likeness - one.likeness);
    return { memoryIds: compared.slice(0, RANKED_VECTORS).map(({ id }) => id), bytesRead };
  }

  #readCode(slot: number): Uint32Array {
    const [words, from] = this.#rowOf(slot);
    return words.slice(from, from + CODE_WORDS);
  }

  #writeCode(slot: number, code: Uint32Array): void {
    const [words, from] = this.#rowOf(slot);
    words.set(code, from);
    const number = Math.floor(slot / CODES_OF_A_ROW);
    this.#sql.exec("INSERT OR REPLACE INTO codes VALUES (?, ?)", number, toBuffer(words));
  }

  #rowOf(slot: number): readonly [words: Uint32Array, from: number] {
    const number = Math.floor(slot / CODES_OF_A_ROW);
    const [row] = this.#sql
      .exec<CodeRow>("SELECT number, codes FROM codes WHERE number = ?", number)
      .toArray();
    const words = row ? new Uint32Array(row.codes) : new Uint32Array(CODES_OF_A_ROW * CODE_WORDS);
    return [words, (slot % CODES_OF_A_ROW) * CODE_WORDS];
  }
}

type CodeRow = { number: number; codes: ArrayBuffer };

/** Slots of the {@link COMPARED_VECTORS} least distances, by counting: sorting all would take longer than reading them. */
function leastDistant(distances: Uint16Array): readonly number[] {
  const counts = new Uint32Array(CODE_BITS + 1);
  for (const distance of distances) counts[distance] = (counts[distance] ?? 0) + 1;
  let [limit, nearer] = [0, 0];
  while (limit < CODE_BITS && nearer + (counts[limit] ?? 0) < COMPARED_VECTORS) {
    nearer += counts[limit] ?? 0;
    limit += 1;
  }
  // Of those at the limit as many as there is room for; all that are nearer.
  let room = COMPARED_VECTORS - nearer;
  const slots: number[] = [];
  for (const [slot, distance] of distances.entries()) {
    if (distance > limit || (distance === limit && room <= 0)) continue;
    if (distance === limit) room -= 1;
    slots.push(slot);
  }
  return slots;
}

function toBuffer(values: Int8Array | Uint32Array): ArrayBuffer {
  const bytes = new Uint8Array(values.byteLength);
  bytes.set(new Uint8Array(values.buffer, values.byteOffset, values.byteLength));
  return bytes.buffer;
}
