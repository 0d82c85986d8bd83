// Searches in a store: what they find, in which languages, and what they cost.
import { env } from "cloudflare:workers";
import { runInDurableObject } from "cloudflare:test";
import { describe, expect, test } from "vitest";

import { memoryTermsOf, searchedWords } from "../../../agent/memory/memory-terms.ts";
import { MEMORIES_OF_A_WORD, RANKED_CANDIDATES } from "../../../protocol/memory/limits.ts";
import { memoryObjectName } from "../../../durable-objects/api/memory-api.ts";
import { searchByWords } from "../../../durable-objects/memory/search-memories.ts";
import { ask } from "../support/api.ts";
import { contentsOf, memoryDesk } from "./memory-desk.ts";

const CORPUS = {
  tokyo: "顧客は東京タワーの近くに住んでいる",
  shanghai: "客户喜欢上海的小笼包",
  insurance: "Die Krankenversicherung der Kundin läuft im Mai ab.",
  steamer: "Er sammelt Bilder der Donaudampfschifffahrtsgesellschaft.",
  party: "Invites to the party 🎉 are sent by mail.",
  mixed: "Ordered the iPhone用ケース in blue.",
  street: "Die Lieferung geht in die Hauptstraße 5.",
  x: "Plan X is the one with support.",
  thai: "ลูกค้าชอบกาแฟเย็น",
  invoice: "Invoices are paid in thirty days.",
};

const FOUND: readonly (readonly [search: string, key: keyof typeof CORPUS])[] = [
  ["東京", "tokyo"],
  ["京タ", "tokyo"],
  ["塔 東京タワー", "tokyo"],
  ["上海", "shanghai"],
  ["包", "shanghai"],
  ["住", "tokyo"],
  ["Versicherung", "insurance"],
  ["Krankenversicherung", "insurance"],
  ["kranken", "insurance"],
  ["Dampfschiff", "steamer"],
  ["SCHIFFFAHRT", "steamer"],
  ["🎉", "party"],
  ["ケース", "mixed"],
  ["iphone", "mixed"],
  ["hauptstrasse hauptstraße", "street"],
  ["X", "x"],
  ["กาแฟ", "thai"],
  ["invoice", "invoice"],
];

describe("a search", () => {
  test("finds words of any script, parts of compounds and pictures, and single characters", async () => {
    const { object, asked, find } = await memoryDesk();
    const source = { session_id: null, reply_id: null, tool_call_id: null };
    const memories = Object.values(CORPUS).map((content) => ({ content, untrusted: null, source }));
    await object.record({ ...asked, record_id: "rep_1", memories });

    const firsts: unknown[] = [];
    for (const [search] of FOUND) firsts.push([search, contentsOf(await find(search))[0]]);

    expect(firsts).toEqual(FOUND.map(([search, key]) => [search, CORPUS[key]]));
  });

  test("that finds nothing says so, and one with nothing to look for is refused", async () => {
    const { write, find, path, call } = await memoryDesk();
    expect((await find("tea")).note).toBe("nothing is remembered yet");
    await write("The customer likes tea.");

    const none = await find("q 茶");
    const refused = await ask("GET", `${path}/memories?search=${encodeURIComponent("?!")}`, call);

    expect(none).toEqual({
      data: [],
      has_more: false,
      next_page: null,
      note: "no memory has any of these words: 茶, q",
    });
    expect([refused.status, refused.json.code]).toEqual([400, "validation_failed"]);
    expect(refused.json.detail).toMatch(/needs a letter, a digit or a picture/);
  });

  test("puts the memory with more of the words, and rarer ones, first", async () => {
    const { write, find } = await memoryDesk();
    await write("The customer asks for green tea in the morning.");
    await write("The customer asks for coffee.");
    await write("Green shoes are for the customer's daughter.");

    expect(contentsOf(await find("does the customer drink green tea?"))).toEqual([
      "The customer asks for green tea in the morning.",
      "Green shoes are for the customer's daughter.",
      "The customer asks for coffee.",
    ]);
  });

  test("excludes a page and a path", async () => {
    const { path, call } = await memoryDesk();

    const { status, json } = await ask("GET", `${path}/memories?search=tea&path=a`, call);

    expect([status, json.errors?.map(({ pointer }) => pointer)]).toEqual([400, ["#/query/path"]]);
  });

  test("reads a bounded number of rows, however many memories have its words", async () => {
    const { tenant_id, store } = await memoryDesk();
    const stub = env.MEMORY.getByName(memoryObjectName(tenant_id, store.id));
    const words = searchedWords(["the customer likes order number 1999 alpha"]);

    const read = await runInDurableObject(stub, (_, { storage }) => {
      fill(storage, 2_000);
      const cursors: number[] = [];
      const { sql } = storage;
      const counted = {
        exec: (query: string, ...values: unknown[]) => {
          const cursor = sql.exec(query, ...values);
          const rows = cursor.toArray();
          cursors.push(cursor.rowsRead);
          return { toArray: () => rows };
        },
      } as unknown as SqlStorage;
      const found = searchByWords(counted, words, 2_000);
      return { ...found, rows: cursors.reduce((all, one) => all + one, 0) };
    });

    const forms = words.reduce((all, one) => all + one.forms.length, 0);
    expect(read.candidates).toBeLessThanOrEqual(
      (forms + words.length) * MEMORIES_OF_A_WORD + RANKED_CANDIDATES,
    );
    expect(read.rows).toBeLessThanOrEqual(2 * read.candidates + RANKED_CANDIDATES);
    // The one with the rare word, though each other word is in all of them.
    expect(read.places[0]).toBe(1_999);
  });
});

/** Memories without versions: what a search by words reads. */
function fill(storage: DurableObjectStorage, count: number): void {
  storage.transactionSync(() => {
    for (let place = 1; place <= count; place += 1) {
      const { plain, pairs, parts } = memoryTermsOf(`the customer likes order number ${place}`);
      const texts = [plain, pairs, parts].map((terms) => terms.join(" "));
      storage.sql.exec(
        "INSERT INTO words (rowid, plain, pairs, parts) VALUES (?, ?, ?, ?)",
        place,
        ...texts,
      );
      storage.sql.exec(
        "INSERT INTO memories VALUES (?, ?, 'memver_x', 1, 6, NULL, '2026-01-01T00:00:00.000Z')",
        `mem_${place}`,
        place,
      );
    }
  });
}
