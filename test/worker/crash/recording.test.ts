/** @module-tag broad */
// A machine that dies before and after each durable write with which a reply is recorded: no memory is lost, none is there
// twice, and the model's answer is billed once.
import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterAll, beforeAll, expect, test } from "vitest";

import { sessionObjectName, type SessionInit } from "../../../durable-objects/api/session-api.ts";
import type { SessionObject } from "../../../durable-objects/session-object.ts";
import { hearLog } from "../../support/hear-log.ts";
import { waitFor } from "../../support/wait-for.ts";
import {
  memoriesOf,
  recordingsOf,
  remembering,
  remembers,
  say,
  storeOf,
  type Remembering,
} from "../memory/remembering.ts";
import { pauseMs } from "../sessions/held-session.ts";
import { startReply } from "../sessions/session.ts";
import {
  abortObject,
  endWatch,
  installFailpoints,
  stopDeltaClock,
  watchWrites,
  type WritePoint,
} from "./failpoint.ts";
import { OTHER_WALKS } from "./other-walks.ts";
import { eventWrites, pointsOf } from "./survive.ts";

const restore: (() => void)[] = [];
beforeAll(async () => {
  const takeOut = await installFailpoints(env.SESSION.getByName("failpoints"));
  restore.push(takeOut, stopDeltaClock());
});
afterAll(() => restore.forEach((undo) => undo()));

const LEFT =
  "SELECT kind AS what FROM timers WHERE kind <> 'expiry' UNION ALL SELECT status FROM outbox UNION ALL SELECT reply_id FROM recordings";
const INPUT = "/remember The user has a dog.\n/say Nice.";

function objectOf({ owner, session_id }: Remembering): DurableObjectStub<SessionObject> {
  return env.SESSION.getByName(sessionObjectName(owner.tenant_id, session_id));
}

function rowsOf(session: Remembering, query: string): Promise<unknown[]> {
  return runInDurableObject(objectOf(session), (_, { storage }) =>
    storage.sql.exec(query).toArray(),
  );
}

/** A session that has said a word, and is at rest. */
async function prepared(): Promise<Remembering> {
  const session = await remembering(remembers("static_control"));
  await say(session, "/say Hello.");
  await quiet(session);
  return session;
}

async function quiet(session: Remembering): Promise<void> {
  await waitFor(async () => expect(await rowsOf(session, LEFT)).toEqual([]));
}

async function countWrites(): Promise<readonly string[]> {
  const session = await prepared();
  const watch = watchWrites(session.session_id, null);
  await say(session, INPUT);
  await recordingsOf(session, 2);
  await quiet(session);
  endWatch(session.session_id);
  return watch.writes;
}

/** The machine dies at the point, if it is reached, and others go on until nothing is left to do. */
async function crashAt(point: WritePoint): Promise<Remembering> {
  const session = await prepared();
  const { session_id } = session;
  const watch = watchWrites(session_id, point);
  const init = { tenant_id: session.owner.tenant_id, session_id } as SessionInit;
  const input = { id: "last", role: "user" as const, content: INPUT };
  const start = () => startReply(init, input as never).catch(() => undefined);
  await Promise.race([watch.reached(), start().then(() => over(session, () => watch.isReached))]);
  await abortObject(objectOf(session));
  endWatch(session_id);
  await waitFor(async () => {
    await rowsOf(session, "UPDATE timers SET due_at = 1");
    await runDurableObjectAlarm(objectOf(session));
    const [started] = await rowsOf(session, "SELECT id FROM messages WHERE id = 'last'");
    // The client, which got no answer, says it again.
    if (!started) await start();
    expect(await rowsOf(session, LEFT)).toEqual([]);
  });
  return session;
}

async function over(session: Remembering, isReached: () => boolean): Promise<void> {
  for (;;) {
    await pauseMs(50);
    if (isReached() || (await rowsOf(session, LEFT)).length === 0) return;
  }
}

async function expectWhole(session: Remembering): Promise<void> {
  const found = await recordingsOf(session, 2);
  const memories = await memoriesOf(session);
  expect(found.map(({ name }: { name?: string }) => name)).toEqual([
    "memories_recorded",
    "memories_recorded",
  ]);
  expect(memories.map(({ content, version }) => [content, version])).toEqual([
    ["The user has a dog.", 1],
  ]);
  const { data } = await (await storeOf(session)).listVersions({ limit: 10 });
  expect(data).toHaveLength(1);
  const [, last] = found as { memories?: unknown }[];
  expect(last?.memories).toEqual([{ id: memories[0]?.id, version: 1 }]);
}

test("a recording loses nothing and writes nothing twice, whichever write a machine dies at", async () => {
  const log = hearLog();
  const writes = await countWrites();
  const { writes: expected } = OTHER_WALKS["a recording behind a reply"];
  expect(eventWrites(writes)).toEqual(eventWrites(expected));
  const points = pointsOf(writes.length);
  const failures: string[] = [];
  for (let next = 0; next < points.length; next += 8) {
    await Promise.all(
      points.slice(next, next + 8).map(async (point) => {
        try {
          await expectWhole(await crashAt(point));
        } catch (error) {
          const write = writes[Number(point.write) - 1];
          failures.push(`${point.side} write ${point.write} (${write}): ${String(error)}`);
        }
      }),
    );
  }
  expect(failures).toEqual([]);
  expect(log.filter((words) => words !== "timer handler failed; will retry")).toEqual([]);
});
