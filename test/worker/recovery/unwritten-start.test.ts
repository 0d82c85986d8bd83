// Requests of an object wait for the disk, so a reply whose start is lost has asked nobody.
import { runInDurableObject } from "cloudflare:test";
import { describe, expect, inject, it } from "vitest";

import { makeAllTables } from "../../../durable-objects/tables/later/later-tables.ts";
import { pauseMs } from "../sessions/held-session.ts";
import { createdSession, objectOf, startReply, stubOf, valueOf } from "../sessions/session.ts";

/** Counts as the session of what reaches the server. */
let made = 0;

async function sessionAndModel() {
  made += 1;
  const marker = `unwritten-start-${made}`;
  const url = inject("effectServerUrl");
  const model = {
    provider: "openai",
    name: "fake",
    base_url: `${url}/v1`,
    parameters: { session_id: marker },
  };
  const init = await createdSession({ model });
  const countRequests = async () => {
    const response = await fetch(`${url}/effects/${marker}`);
    return (await response.json<unknown[]>()).length;
  };
  return { init, countRequests };
}

describe("a reply's first request to its model", () => {
  it("leaves once the reply has begun", async () => {
    const { init, countRequests } = await sessionAndModel();
    await startReply(init, "Hello");
    await expect.poll(countRequests).toBeGreaterThan(0);
  });

  it("never leaves when the commit with which the reply begins fails", async () => {
    const { init, countRequests } = await sessionAndModel();
    await runInDurableObject(objectOf(init), async (_, { storage }) => {
      makeAllTables(storage.sql);
      storage.sql.exec("CREATE TABLE whole (id INTEGER PRIMARY KEY)");
      storage.sql.exec(
        "CREATE TABLE part (id INTEGER REFERENCES whole (id) DEFERRABLE INITIALLY DEFERRED)",
      );
      // Found wrong when the transaction is committed, and not before.
      storage.sql.exec(
        "CREATE TRIGGER spoil AFTER INSERT ON replies BEGIN INSERT INTO part VALUES (1); END",
      );
      await storage.sync();
    });
    await expect(startReply(init, "Hello")).rejects.toThrow("constraints were violated");
    await pauseMs(50);

    const { data } = valueOf(await stubOf(init).act("listReplies", { limit: 10 }));
    expect([data, await countRequests()]).toEqual([[], 0]);
  });
});
