// Costs of runs: rows are billed one by one, and a session without runs pays none for them.
import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { expect, it } from "vitest";

import type { SessionInit } from "../../../durable-objects/api/session-api.ts";
import { LABEL } from "../confirmations/parked.ts";
import { createdSession, objectOf, reply } from "../sessions/session.ts";
import { answerTo, codeOf, PRINT, resultOf, run, said, startRun } from "./runs.ts";

/** The rows of each table that the object writes while `act` runs, the alarm aside. */
async function rowsWritten(init: SessionInit, act: () => Promise<unknown>): Promise<number> {
  let written = 0;
  await runInDurableObject(objectOf(init), (_, { storage }) => {
    const exec = storage.sql.exec.bind(storage.sql);
    Object.defineProperty(storage.sql, "exec", {
      value: (...query: Parameters<typeof exec>) => {
        const cursor = exec(...query);
        // Reports of a reply to D1, and the alarm behind them, are not the run's.
        if (!/ (outbox|timers)\b/.test(query[0])) written += cursor.rowsWritten;
        return cursor;
      },
    });
  });
  await act();
  return written;
}

/** The queries that the object asks from here on. */
async function watchedQueries(init: SessionInit): Promise<readonly string[]> {
  const queries: string[] = [];
  await runInDurableObject(objectOf(init), (_, { storage }) => {
    const exec = storage.sql.exec.bind(storage.sql);
    Object.defineProperty(storage.sql, "exec", {
      value: (...query: Parameters<typeof exec>) => {
        queries.push(query[0]);
        return exec(...query);
      },
    });
  });
  return queries;
}

it("a run writes two rows more than a native reply, and its tools a third one", async () => {
  const sessions = await Promise.all([createdSession(), createdSession(), createdSession()]);
  const [native, plain, withTools] = sessions;
  // The first reply of an object finds nothing reserved.
  await Promise.all(sessions.map((init) => reply(init, "/say warm")));
  const messages = [said("m1", "/say hello")];
  const ofNative = await rowsWritten(native, () => reply(native, "/say hello"));
  const ofRun = await rowsWritten(plain, () => run(plain, "r1", { messages }));
  const ofTools = await rowsWritten(withTools, () =>
    run(withTools, "r1", { messages, tools: [PRINT] }),
  );

  expect([ofRun - ofNative, ofTools - ofNative]).toEqual([2, 3]);
});

it("a run that repeats many answers reads the reply that it names once", async () => {
  const init = await createdSession({ tools: [LABEL] });
  const { reply: parked } = await run(init, "r1", {
    messages: [said("m1", "/call label {}\n/say done")],
  });
  const id = parked.pending[0]?.tool_call.id ?? "";
  await run(init, "r2", { results: [resultOf(id, "printed")] });
  await evictDurableObject(objectOf(init));
  const queries = await watchedQueries(init);
  const resume = Array.from({ length: 128 }, () => answerTo(parked.id, id, "printed"));
  const read = await startRun(init, "r3", { resume });

  expect(codeOf(read)).toBeNull();
  const reads = queries.filter((query) => query.includes("body, parts FROM messages"));
  expect(reads.length).toBeLessThan(5);
});
