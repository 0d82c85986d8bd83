/** @module-tag broad */
// A machine that dies before and after each durable write of a restore: the conversation is the old one or the new one,
// whole, and the same request makes it the new one.
import { env } from "cloudflare:workers";
import { afterAll, beforeAll, expect, test } from "vitest";

import { sessionObjectName, type SessionInit } from "../../../durable-objects/api/session-api.ts";
import type { SessionObject } from "../../../durable-objects/session-object.ts";
import type { Msg } from "../../../protocol/messages/messages.ts";
import type { Page } from "../../../protocol/schemas/common.ts";
import type { LoggedEvent } from "../../../protocol/events.ts";
import type { Session } from "../../../protocol/sessions/contract.ts";
import { hearLog } from "../../support/hear-log.ts";
import { ask, openSession } from "../support/api.ts";
import { pauseMs } from "../sessions/held-session.ts";
import { stubOf } from "../sessions/session.ts";
import {
  abortObject,
  endWatch,
  installFailpoints,
  watchWrites,
  type WritePoint,
} from "./failpoint.ts";
import { pointsOf } from "./survive.ts";

const undo: (() => void)[] = [];
beforeAll(async () => {
  undo.push(await installFailpoints(env.SESSION.getByName("failpoints")));
});
afterAll(() => undo.forEach((take) => take()));

type Opened = Awaited<ReturnType<typeof openSession>>;

/** Bytes of each message that comes back: above those of a row, so that they are written ahead. */
const LARGE_CHARACTERS = 700_000;

function initOf({ tenantId, session }: Opened): SessionInit {
  return { tenant_id: tenantId, session_id: session.id } as SessionInit;
}

function objectOf({ tenantId, session }: Opened): DurableObjectStub<SessionObject> {
  return env.SESSION.getByName(sessionObjectName(tenantId, session.id));
}

async function observe({ call, path }: Opened, id: string, content: string): Promise<void> {
  const json = { messages: { id, name: "user", role: "user", content } };
  const { status } = await ask("POST", `${path}/observe`, { ...call, json });
  expect(status).toBe(201);
}

const cursorOf = async ({ call, path }: Opened) =>
  (await ask<Session>("GET", path, call)).json.cursor;

async function idsOf({ call, path }: Opened): Promise<string> {
  const { json } = await ask<Page<Msg>>("GET", `${path}/messages?limit=100`, call);
  return json.data.map(({ id }) => id).join(" ");
}

/** A session of which a first restore has taken out three messages, which the tested one brings back. */
async function prepared(characters: number): Promise<{ session: Opened; cursor: number }> {
  const session = await openSession();
  await observe(session, "m1", "One");
  const early = await cursorOf(session);
  for (const id of ["m2", "m3", "m4"]) await observe(session, id, id.repeat(characters / 2));
  const json = [{ op: "add", path: "/n", value: 1 }];
  await ask("PATCH", `${session.path}/shared-state`, { ...session.call, json });
  const cursor = await cursorOf(session);
  await ask("POST", `${session.path}/restore`, { ...session.call, json: { cursor: early } });
  await observe(session, "m2", "Another one");
  return { session, cursor };
}

const restore = (session: Opened, cursor: number) =>
  stubOf(initOf(session)).act("restore", { cursor });

async function countWrites(characters: number): Promise<readonly string[]> {
  const { session, cursor } = await prepared(characters);
  const watch = watchWrites(session.session.id, null);
  const restored = await restore(session, cursor);
  endWatch(session.session.id);
  expect(restored.ok).toBe(true);
  expect(await idsOf(session)).toBe("m1 m2 m3 m4");
  return watch.writes;
}

async function expectWhole(characters: number, point: WritePoint): Promise<void> {
  const { session, cursor } = await prepared(characters);
  const watch = watchWrites(session.session.id, point);
  const asked = restore(session, cursor).then(
    () => true,
    () => true,
  );
  await Promise.race([watch.reached(), asked.then(() => pauseMs(0))]);
  await abortObject(objectOf(session));
  endWatch(session.session.id);

  expect(["m1 m2", "m1 m2 m3 m4"]).toContain(await idsOf(session));
  const again = await restore(session, cursor);
  expect(again.ok).toBe(true);
  expect(await idsOf(session)).toBe("m1 m2 m3 m4");
  const { call, path } = session;
  const shared = await ask<{ state: object }>("GET", `${path}/shared-state`, call);
  expect(shared.json.state).toEqual({ n: 1 });
  const { json } = await ask<Page<LoggedEvent>>("GET", `${path}/events?limit=100`, call);
  const names = json.data.map((event) => (event as { name?: string }).name);
  expect(names.filter((name) => name === "session_restored")).toHaveLength(2);
}

test.each([
  ["a small conversation", 20],
  ["messages that are written ahead", LARGE_CHARACTERS],
])("%s is restored as a whole, whichever write a machine dies at", async (_, characters) => {
  hearLog();
  const writes = await countWrites(characters);
  const failures: string[] = [];
  for (const point of pointsOf(writes.length)) {
    await expectWhole(characters, point).catch((error: unknown) => {
      const write = writes[Number(point.write) - 1];
      failures.push(`${point.side} write ${point.write} (${write}): ${String(error)}`);
    });
  }
  expect(failures).toEqual([]);
  expect(writes).not.toEqual([]);
});
