// Rows of a conversation that a start of a reply reads, however long that is.
import { abortAllDurableObjects, runInDurableObject } from "cloudflare:test";
import { expect, it } from "vitest";

import type { SessionInit } from "../../../durable-objects/api/session-api.ts";
import { AssistantMsg, UserMsg } from "../../../protocol/messages/constructors.ts";
import { createdSession, objectOf, reply } from "../sessions/session.ts";
import {
  compressingSession,
  fill,
  sayTwice,
  settledContext,
  smallWindow,
  summariesOf,
  truncationsOf,
  viewContext,
} from "./compressing.ts";

interface Statement {
  readonly query: string;
  readonly read: number;
  readonly written: number;
}

/** The statements that the object makes while `act` runs. */
async function statementsOf(
  init: SessionInit,
  act: () => Promise<unknown>,
): Promise<readonly Statement[]> {
  const made: Statement[] = [];
  await runInDurableObject(objectOf(init), (_, { storage: { sql } }) => {
    const exec = sql.exec.bind(sql);
    Object.defineProperty(sql, "exec", {
      configurable: true,
      value: (query: string, ...bindings: unknown[]) => {
        const cursor = exec(query, ...bindings);
        queueMicrotask(() =>
          made.push({ query, read: cursor.rowsRead, written: cursor.rowsWritten }),
        );
        return cursor;
      },
    });
  });
  await act();
  return made;
}

function rowsOf(statements: readonly Statement[], table: string): number {
  return statements
    .filter(({ query }) => query.includes(`FROM ${table}`))
    .reduce((sum, { read }) => sum + read, 0);
}

/** Adds messages behind the object's back. */
async function addMessages(init: SessionInit, count: number, tokens: number): Promise<void> {
  await runInDurableObject(objectOf(init), (_, { storage: { sql } }) => {
    for (let index = 1; index <= count; index += 1) {
      const said = index % 2 === 0 ? AssistantMsg : UserMsg;
      const message = said("one", "word".repeat(tokens), { id: `m${index}` });
      sql.exec(
        "INSERT INTO messages (position, id, cursor, body) VALUES (?, ?, ?, ?)",
        index,
        message.id,
        index,
        new TextEncoder().encode(JSON.stringify(message)),
      );
    }
    sql.exec("INSERT INTO events (seq, frames) VALUES (?, ?)", count, new TextEncoder().encode(""));
  });
  // Memory is made anew from what was written behind the object's back.
  await abortAllDurableObjects();
}

it("a reply of a small conversation reads and writes nothing for its context", async () => {
  const init = await compressingSession();
  await sayTwice(init, 50);
  await abortAllDurableObjects();

  const made = await statementsOf(init, () => sayTwice(init, 50));

  const ofContext = made.filter(({ query }) => / (compression|ability_states)\b/.test(query));
  // The states of all abilities are read once, which a session without any has as one row.
  expect(ofContext).toEqual([
    { query: "SELECT name, state, seq FROM ability_states", read: 0, written: 0 },
  ]);
  // Its own two messages, and the two before it.
  expect(rowsOf(made, "messages")).toBeLessThan(12);
});

it("of a conversation that was never summarised two windows are read, and the rest left out once", async () => {
  const init = await createdSession(smallWindow("", { compression_enabled: false }));
  await addMessages(init, 5_000, 20);

  const first = await statementsOf(init, () => reply(init, "/say one"));
  const [left, ...more] = await truncationsOf(init);
  const later = await statementsOf(init, () => reply(init, "/say two"));

  expect(left?.value).toMatchObject({
    first_message_id: "m1",
    last_block_id: null,
    reason: "history_limit",
  });
  // 90 messages of 20 tokens, and the input, are two windows of 900 tokens.
  expect(left?.value.last_message_id).toBe(`m${5_000 - 90}`);
  expect(more.map(({ value }) => value.reason)).toEqual(["compression_off"]);
  expect(await truncationsOf(init)).toHaveLength(2);
  // Once, the sizes of what is left out, for the event.
  expect(rowsOf(first, "messages")).toBeLessThan(6_000);
  expect(rowsOf(later, "messages")).toBeLessThan(120);
});

it("of a summarised conversation only what follows the summary is read", async () => {
  const init = await compressingSession();
  for (let time = 0; time < 4; time += 1) {
    await fill(init);
    await settledContext(init);
  }
  expect((await summariesOf(init)).length).toBeGreaterThan(2);
  const shown = (await viewContext(init)).messages.length;
  await abortAllDurableObjects();

  const made = await statementsOf(init, () => reply(init, "/say on"));

  expect(shown).toBeLessThan(8);
  expect(rowsOf(made, "messages")).toBeLessThan(shown + 12);
});
