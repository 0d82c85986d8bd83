// Opening what is stored of a session, and waking it, are two steps.
import { env } from "cloudflare:workers";
import { expect, it } from "vitest";

import { assembleSession } from "../../../durable-objects/sessions/assemble-session.ts";
import { closeSession } from "../../../durable-objects/sessions/close-session.ts";
import { wakeSession } from "../../../durable-objects/sessions/wake-session.ts";
import { pauseMs, withHeldSession } from "./held-session.ts";
import { valueOf } from "./session.ts";
import { waitFor } from "../../support/wait-for.ts";

/** All rows of all tables. */
function stored({ storage: { sql } }: DurableObjectState): unknown {
  const tables = sql.exec<{ name: string }>(
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE '\\_cf%' ESCAPE '\\'",
  );
  return [...tables].map(({ name }) => [name, sql.exec(`SELECT * FROM ${name}`).toArray()]);
}

it("a session is opened without a write or a start, and takes its reply up when it is woken", () =>
  withHeldSession({}, async ({ session, state }) => {
    const input = "/rate 20\n/words 20000";
    const start = { input, on_busy: "reject" } as const;
    const { id } = valueOf(await session.queue.start(start));
    await waitFor(() => expect(session.active?.state.message.content).toHaveLength(1));
    closeSession(session);
    const before = [stored(state), await state.storage.getAlarm()];

    const opened = assembleSession(state, env, session.init);
    await pauseMs(50);
    expect([stored(state), await state.storage.getAlarm()]).toEqual(before);
    expect([opened.active, opened.openReply, opened.isActing]).toEqual([null, null, false]);

    await wakeSession(opened);
    expect([opened.openReply?.id, opened.isRunning, opened.isActing]).toEqual([id, true, true]);
    const ended = await opened.runner.interrupt();
    expect(ended.reply).toMatchObject({ id, status: "interrupted" });
    closeSession(opened);
  }));
