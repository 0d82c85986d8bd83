// What runs cost: rows are billed one by one, and whoever does not use runs pays none for them.
import { runInDurableObject } from "cloudflare:test";
import { expect, it } from "vitest";

import type { SessionInit } from "../../../durable-objects/session-api.ts";
import { createdSession, objectOf, reply } from "../session/session.ts";
import { PRINT, run, said } from "./runs.ts";

/** The rows of each table that the object writes while `act` runs, the alarm aside. */
async function rowsWritten(init: SessionInit, act: () => Promise<unknown>): Promise<number> {
  let written = 0;
  await runInDurableObject(objectOf(init), (_, { storage }) => {
    const exec = storage.sql.exec.bind(storage.sql);
    Object.defineProperty(storage.sql, "exec", {
      value: (...query: Parameters<typeof exec>) => {
        const cursor = exec(...query);
        // How often D1 is told of a reply, and the alarm behind that, is not the run's business.
        if (!/ (outbox|timers)\b/.test(query[0])) written += cursor.rowsWritten;
        return cursor;
      },
    });
  });
  await act();
  return written;
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
