// An object that is erased and filled again while its old session is still being opened.
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, onTestFinished, test, vi } from "vitest";

import { SessionKeeper } from "../../../durable-objects/lifecycle/session-keeper.ts";
import { assembleSession } from "../../../durable-objects/sessions/assemble-session.ts";
import { migrate } from "../../../durable-objects/tables/schema.ts";
import { writeSessionInit } from "../../../durable-objects/tables/session-tables.ts";
import { objectOf } from "./session.ts";
import { lostReply, poison } from "../poison/poisoned.ts";

test("keeps the new session when the old one's opening comes to its end", async () => {
  const poisoned = await lostReply();
  const { init } = poisoned;
  // Its last machine died while it took the reply up, so the next one waits for a moment first.
  await poison(poisoned, "UPDATE replies SET begun = 1");
  const random = vi.spyOn(Math, "random").mockReturnValue(0.1);
  onTestFinished(() => random.mockRestore());
  await runInDurableObject(objectOf(init), async (_, state) => {
    const keeper = new SessionKeeper(state, env);
    const opening = keeper.open();
    await scheduler.wait(20);
    keeper.release();
    await state.storage.deleteAll();
    migrate(state.storage);
    writeSessionInit(state.storage.sql, init);
    const anew = assembleSession(state, env, init);
    keeper.hold(anew);
    await opening;

    const isAnew = keeper.session === anew;
    keeper.release();

    expect(isAnew).toBe(true);
  });
});
