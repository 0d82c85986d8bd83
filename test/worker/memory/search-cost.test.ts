// Costs of searches by meaning in a large store: rows and bytes that are read, whatever its size.
import { env } from "cloudflare:workers";
import { runInDurableObject } from "cloudflare:test";
import { expect, test } from "vitest";

import { CODE_WORDS } from "../../../agent/memory/quantise.ts";
import { memoryObjectName } from "../../../durable-objects/api/memory-api.ts";
import { VectorTables } from "../../../durable-objects/memory/vector-tables.ts";
import {
  CODES_OF_A_ROW,
  COMPARED_VECTORS,
  EMBEDDED_AT_ONCE,
  RANKED_VECTORS,
} from "../../../protocol/memory/limits.ts";
import { memoryDesk } from "./memory-desk.ts";

const SIZE = 3 * CODES_OF_A_ROW + 100;
const DIMENSIONS = 64;

/** SQL that counts the rows that it reads. */
function counted(sql: SqlStorage): { readonly sql: SqlStorage; readonly rowsRead: () => number } {
  const cursors: SqlStorageCursor<Record<string, SqlStorageValue>>[] = [];
  const counting = {
    exec: (query: string, ...values: unknown[]) => {
      const cursor = sql.exec(query, ...values);
      cursors.push(cursor);
      return cursor;
    },
  };
  return {
    sql: counting as unknown as SqlStorage,
    rowsRead: () => cursors.reduce((all, { rowsRead }) => all + rowsRead, 0),
  };
}

function vectorAt(index: number): Int8Array {
  return Int8Array.from(
    { length: DIMENSIONS },
    (_, place) => ((index * 31 + place * 17) % 255) - 127,
  );
}

/** A store with this many memories, the last ones of which have no vector yet. */
async function filled(withVectors: number) {
  const { tenant_id, store } = await memoryDesk();
  const stub = env.MEMORY.getByName(memoryObjectName(tenant_id, store.id));
  await runInDurableObject(stub, (_, { storage }) =>
    storage.transactionSync(() => {
      const vectors = new VectorTables(storage.sql);
      for (let index = 0; index < SIZE; index += 1) {
        storage.sql.exec(
          "INSERT INTO memories VALUES (?, ?, 'memver_x', 1, 6, NULL, '2026-01-01T00:00:00.000Z')",
          idAt(index),
          index + 1,
        );
        if (index < withVectors) vectors.put(idAt(index), vectorAt(index));
      }
    }),
  );
  return stub;
}

const idAt = (index: number) => `mem_${String(index).padStart(6, "0")}`;

test("a search by meaning reads the codes, and the vectors of the nearest alone", async () => {
  const stub = await filled(SIZE);

  const { nearest, rows } = await runInDurableObject(stub, (_, { storage }) => {
    const { sql, rowsRead } = counted(storage.sql);
    const vectors = new VectorTables(sql);
    expect([vectors.count, vectors.model]).toEqual([SIZE, null]);
    return { nearest: vectors.nearest(vectorAt(17), -1), rows: rowsRead() };
  });

  const rowsOfCodes = Math.ceil(SIZE / CODES_OF_A_ROW);
  expect(nearest.memoryIds).toHaveLength(RANKED_VECTORS);
  expect(nearest.memoryIds).toContain(idAt(17));
  expect(nearest.bytesRead).toBe(
    rowsOfCodes * CODES_OF_A_ROW * CODE_WORDS * 4 + COMPARED_VECTORS * DIMENSIONS,
  );
  // A place in the list of the nearest is a row, too, and so is its sorting.
  expect(rows).toBeLessThanOrEqual(rowsOfCodes + 3 * COMPARED_VECTORS + 8);
});

test("the nearest vector is found behind any number of others that are all as far from it", async () => {
  const { tenant_id, store } = await memoryDesk();
  const stub = env.MEMORY.getByName(memoryObjectName(tenant_id, store.id));
  const [one, other] = [1, -1].map((sign) => new Int8Array(DIMENSIONS).fill(sign * 100));

  const nearest = await runInDurableObject(stub, (_, { storage }) =>
    storage.transactionSync(() => {
      const vectors = new VectorTables(storage.sql);
      for (let index = 0; index < COMPARED_VECTORS + 50; index += 1) vectors.put(idAt(index), one!);
      vectors.put("mem_last", other!);
      const before = vectors.nearest(other!, -1);
      // The last slot takes its place.
      vectors.remove(idAt(3));
      return [before, vectors.nearest(other!, -1)].map(({ memoryIds }) => memoryIds[0]);
    }),
  );

  expect(nearest).toEqual(["mem_last", "mem_last"]);
});

test("the memories that have no vector are found behind those that were looked at", async () => {
  const stub = await filled(SIZE - 40);

  const { first, next, rows } = await runInDurableObject(stub, (_, { storage }) => {
    const { sql, rowsRead } = counted(storage.sql);
    const vectors = new VectorTables(sql);
    const [begun] = vectors.missing("", 1);
    const before = rowsRead();
    const found = vectors.missing(begun!.memory_id, EMBEDDED_AT_ONCE);
    return {
      first: begun?.memory_id,
      next: found.map((one) => one.memory_id),
      rows: rowsRead() - before,
    };
  });

  expect(first).toBe(idAt(SIZE - 40));
  expect(next).toEqual(Array.from({ length: EMBEDDED_AT_ONCE }, (_, one) => idAt(SIZE - 39 + one)));
  expect(rows).toBeLessThanOrEqual(2 * EMBEDDED_AT_ONCE);
});
