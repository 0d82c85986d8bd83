import { runInDurableObject } from "cloudflare:test";
import { expect, it } from "vitest";

import { MessageTable } from "../../../durable-objects/tables/message-table.ts";
import { readHistory } from "../../../durable-objects/context/read-history.ts";
import { UserMsg } from "../../../protocol/messages/constructors.ts";
import { HISTORY_SLICE_BYTES, MAX_HISTORY_BYTES } from "../../../protocol/replies/limits.ts";
import { createdSession, objectOf } from "../sessions/session.ts";

/** The messages that are read below a position of a conversation in which each message has so many characters. */
async function readOf(lengths: readonly number[], position: number): Promise<readonly string[]> {
  const init = await createdSession();
  return runInDurableObject(objectOf(init), async (_, { storage }) => {
    const table = new MessageTable(storage.sql);
    for (const [index, length] of lengths.entries()) {
      const message = UserMsg({ id: `m${index}`, name: "user", content: "x".repeat(length) });
      table.put({ position: index + 1, reply_id: null, message, cursor: index + 1 });
    }
    return (await readHistory(table, { below: position })).messages.map(({ id }) => id);
  });
}

it("a conversation of several slices is read whole, oldest first, each message once", async () => {
  const lengths = Array.from({ length: 12 }, (_, index) => (index + 1) * (HISTORY_SLICE_BYTES / 8));

  expect(await readOf(lengths, 12)).toEqual(lengths.slice(0, 11).map((_, index) => `m${index}`));
});

it("of a longer one than a model is told the newest messages are read", async () => {
  const third = MAX_HISTORY_BYTES / 3;

  expect(await readOf([third, third, third, third], 5)).toEqual(["m2", "m3"]);
  expect(await readOf([MAX_HISTORY_BYTES * 1.1], 2)).toEqual(["m0"]);
  expect(await readOf([], 1)).toEqual([]);
});
