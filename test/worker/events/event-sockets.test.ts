// Readers of events over WebSockets whose object sleeps: nothing is lost or doubled, and whatever ends a stream ends them.
import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, test, vi } from "vitest";

import { sessionObjectName } from "../../../durable-objects/api/session-api.ts";
import { SessionObject } from "../../../durable-objects/session-object.ts";
import { HeldSockets } from "../../../durable-objects/sockets/held-sockets.ts";
import { TenantObject } from "../../../durable-objects/tenant-object.ts";
import { accept } from "../../../protocol/errors.ts";
import {
  HEARTBEAT_MS,
  MAX_CLIENT_SUBSCRIBERS,
  MAX_READER_FRAMES,
  MAX_TOKEN_SUBSCRIBERS,
} from "../../../protocol/events/limits.ts";
import { MAX_READER_FRAME_BYTES } from "../../../protocol/voice/limits.ts";
import { waitFor } from "../../support/wait-for.ts";
import { advanceClock } from "../support/advance-clock.ts";
import { ask, openSession, send } from "../support/api.ts";
import { mintTicket, mintToken } from "../support/client-token.ts";
import { hasEnds, openSocket } from "../support/event-socket.ts";
import { holdTimers } from "../support/held-timers.ts";
import { changeTenant, readLimits } from "../support/tenant-use.ts";

afterEach(() => vi.restoreAllMocks());

const FOLLOW = "events?follow=session";

async function openTold(definition?: object) {
  const opened = await openSession(definition);
  const { tenantId, session, path, call } = opened;
  const object = () => env.SESSION.getByName(sessionObjectName(tenantId, session.id));
  const say = (text: string) =>
    ask("POST", `${path}/replies`, { ...call, json: { input: `/say ${text}` } });
  const seqs = async (after = 0) => {
    const { json } = await ask<{ data: { seq: number }[] }>(
      "GET",
      `${path}/events?limit=100&after=${after}`,
      call,
    );
    return json.data.map(({ seq }) => seq);
  };
  await say("Hello.");
  return {
    ...opened,
    object,
    say,
    seqs,
    sleep: () => evictDurableObject(object()),
    socketTimers: () =>
      runInDurableObject(object(), (_, { storage }) =>
        storage.sql.exec("SELECT kind FROM timers WHERE kind = 'socket'").toArray(),
      ),
  };
}

/** When the tenant's object takes the session for one with streams. */
async function readingUntil(tenantId: string): Promise<readonly unknown[]> {
  return runInDurableObject(env.TENANT.getByName(tenantId), (_, { storage }) =>
    storage.sql.exec("SELECT reading_until FROM leases WHERE reading_until > 0").toArray(),
  );
}

describe("a reader over a WebSocket whose session sleeps", () => {
  test("goes on where it was, without a frame lost or doubled, as often as that happens", async () => {
    const { call, path, say, sleep, seqs } = await openTold();
    const socket = await openSocket(`${path}/${FOLLOW}`, call);
    await socket.until(hasEnds(1));
    for (const count of [2, 3, 4]) {
      await sleep();
      await say(`Reply ${count}.`);
      await socket.until(hasEnds(count));
    }

    expect(socket.seqs()).toEqual(await seqs());
    socket.leave();
  });

  test.each(["agentscope-java", "ag-ui"])("goes on in the format %s too", async (format) => {
    const { call, path, say, sleep } = await openTold();
    const query = `${path}/${FOLLOW}&after=0&format=${format}`;
    const slept = await openSocket(query, call);
    const isOver = (count: number) => (frames: readonly { event?: { type: string } }[]) =>
      frames.filter(({ event }) => event?.type === "RUN_FINISHED" || event?.type === "AGENT_END")
        .length >= count;
    await slept.until(isOver(1));
    await sleep();
    await say("Again.");
    await slept.until(isOver(2));
    const whole = await openSocket(query, call);
    await whole.until(isOver(2));

    expect(slept.frames).toEqual(whole.frames);
    expect(new Set(slept.frames.map(({ id }) => id)).size).toBe(slept.frames.length);
    for (const one of [slept, whole]) one.leave();
  });

  test("sets no timer in its object, with which that would not sleep, and a stream does", async () => {
    const { call, path } = await openTold();
    const { token } = await mintToken(path, call, { ttl_seconds: 60 });
    const timers = holdTimers((delayMs) => delayMs >= HEARTBEAT_MS && delayMs <= 60_000);
    const socket = await openSocket(`${path}/${FOLLOW}`, { key: token });
    await socket.until(hasEnds(1));
    const ofSocket = timers.waiting;
    const headers = { Accept: "text/event-stream" };
    const stream = await send("GET", `${path}/${FOLLOW}`, { key: token, headers });
    const ofStream = timers.waiting;
    await stream.body?.cancel();
    socket.leave();

    expect([ofSocket, ofStream]).toEqual([0, 2]);
  });

  test("counts among the readers, also behind a sleep", async () => {
    const { call, path, object } = await openTold();
    const { token } = await mintToken(path, call);
    const open = () => openSocket(`${path}/${FOLLOW}`, { key: token });
    const sockets = [];
    for (let index = 0; index < MAX_TOKEN_SUBSCRIBERS; index += 1) sockets.push(await open());
    await evictDurableObject(object());
    // Whatever wakes the object finds all of them.
    await ask("GET", path, call);
    const more = await open();
    const stream = await send("GET", `${path}/${FOLLOW}`, {
      key: token,
      headers: { Accept: "text/event-stream" },
    });

    expect([await more.closed, stream.status]).toEqual([[4429, "too_many_subscribers"], 429]);
    expect(MAX_TOKEN_SUBSCRIBERS).toBeLessThan(MAX_CLIENT_SUBSCRIBERS);
    for (const socket of sockets) socket.leave();
    await waitFor(async () => {
      const again = await open();
      if (again.frames.some(({ type }) => type === "error")) throw new Error("still too many");
      again.leave();
    });
  });

  test("is closed when the key that opened it is revoked, though nothing has renewed its lease", async () => {
    const { call, path, sleep, tenantId } = await openTold();
    const { json: key } = await ask<{ id: string; api_key: string }>("POST", "/v1/api-keys", {
      ...call,
      json: { scopes: ["sessions:read"] },
    });
    const [mine, other] = [
      await openSocket(`${path}/${FOLLOW}`, { key: key.api_key }),
      await openSocket(`${path}/${FOLLOW}`, call),
    ];
    await mine.until(hasEnds(1));
    await sleep();
    await evictDurableObject(env.TENANT.getByName(tenantId));
    advanceClock(86_400_000);
    await ask("DELETE", `/v1/api-keys/${key.id}`, call);

    expect(await mine.closed).toEqual([4401, "unauthenticated"]);
    expect(mine.frames.at(-1)).toMatchObject({ type: "error", code: "unauthenticated" });
    expect(other.frames.some(({ type }) => type === "error")).toBe(false);
    other.leave();
  });

  test("is closed when its client token, or that of its ticket, is revoked", async () => {
    const { call, path, sleep } = await openTold();
    const { token, id } = await mintToken(path, call);
    const { ticket } = await mintTicket(path, { key: token }, `${path}/${FOLLOW}`);
    const sockets = [
      await openSocket(`${path}/${FOLLOW}`, { key: token }),
      await openSocket(`${path}/${FOLLOW}&after=2`, {}, ticket),
    ];
    await sleep();
    await ask("DELETE", `${path}/tokens/${id}`, call);

    for (const { closed } of sockets) expect(await closed).toEqual([4401, "unauthenticated"]);
  });

  test("is closed by the object's alarm when its credential expires", async () => {
    const { call, path, object, socketTimers } = await openTold();
    const { token } = await mintToken(path, call, { ttl_seconds: 60 });
    const [mine, other] = [
      await openSocket(`${path}/${FOLLOW}`, { key: token }),
      await openSocket(`${path}/${FOLLOW}`, call),
    ];
    await mine.until(hasEnds(1));
    expect(await socketTimers()).toEqual([{ kind: "socket" }]);
    await evictDurableObject(object());
    advanceClock(61_000);
    await runDurableObjectAlarm(object());

    expect(await mine.closed).toEqual([4401, "unauthenticated"]);
    await waitFor(async () => expect(await socketTimers()).toEqual([]));
    expect(other.frames.some(({ type }) => type === "error")).toBe(false);
    other.leave();
  });

  test("is closed at its next frame when its credential has expired and the alarm is late", async () => {
    const { call, path, sleep } = await openTold();
    const { token } = await mintToken(path, call, { ttl_seconds: 60 });
    const socket = await openSocket(`${path}/${FOLLOW}`, { key: token });
    await socket.until(hasEnds(1));
    await sleep();
    advanceClock(61_000);
    socket.send("hello?");

    expect(await socket.closed).toEqual([4401, "unauthenticated"]);
  });

  test("is closed when the tenant is suspended", async () => {
    const { call, path, sleep, tenantId } = await openTold();
    const socket = await openSocket(`${path}/${FOLLOW}`, call);
    await socket.until(hasEnds(1));
    await sleep();
    await evictDurableObject(env.TENANT.getByName(tenantId));
    advanceClock(86_400_000);
    await changeTenant(tenantId, { status: "suspended" });

    expect(await socket.closed).toEqual([4403, "tenant_suspended"]);
  });

  test("is closed when the session is deleted", async () => {
    const { call, path, sleep } = await openTold();
    const socket = await openSocket(`${path}/${FOLLOW}`, call);
    await socket.until(hasEnds(1));
    await sleep();
    await ask("DELETE", path, call);

    expect(await socket.closed).toEqual([4404, "not_found"]);
  });
});

describe("the tenant's object", () => {
  test("knows of a session with sockets until the last one has closed", async () => {
    const { call, path, tenantId } = await openTold();
    const [first, second] = [
      await openSocket(`${path}/${FOLLOW}`, call),
      await openSocket(`${path}/${FOLLOW}`, call),
    ];
    const held = await readingUntil(tenantId);
    first.leave();
    await first.closed;
    const still = await readingUntil(tenantId);
    second.leave();

    const known = [{ reading_until: Number.MAX_SAFE_INTEGER }];
    expect([held, still]).toEqual([known, known]);
    await waitFor(async () => expect(await readingUntil(tenantId)).not.toEqual(known));
  });

  test.each([
    ["", (_: SqlStorage) => undefined],
    [
      " that cannot be read",
      (sql: SqlStorage) => void sql.exec("UPDATE session SET init = '{}', reply_init = NULL"),
    ],
  ])("knows of a session with sockets%s until it is deleted", async (_, change) => {
    const { call, path, tenantId, object, sleep } = await openTold();
    const socket = await openSocket(`${path}/${FOLLOW}`, call);
    await socket.until(hasEnds(1));
    await runInDurableObject(object(), (__, { storage }) => change(storage.sql));
    await sleep();
    const { status } = await ask("DELETE", path, call);

    expect([status, await socket.closed]).toEqual([204, [4404, "not_found"]]);
    const known = [{ reading_until: Number.MAX_SAFE_INTEGER }];
    await waitFor(async () => expect(await readingUntil(tenantId)).not.toEqual(known));
  });

  test("is given back what a session held that was deleted while its socket was opened", async () => {
    const lease = { hold: async () => accept(null), release: vi.fn(async () => undefined) };
    const owner = { lease, arm: () => undefined, isClosed: () => true };
    const notOpened = () => Promise.reject(new Error("a deleted session opens a socket"));
    const { status } = await new HeldSockets({ getWebSockets: () => [] }).open(owner, notOpened);

    expect([status, lease.release.mock.calls.length]).toEqual([404, 1]);
  });

  test("is told nothing of sockets by a session that reads without one when a key is revoked", async () => {
    const { call, path } = await openTold();
    const json = { scopes: ["sessions:read"] };
    const { json: key } = await ask<{ id: string }>("POST", "/v1/api-keys", { ...call, json });
    const headers = { Accept: "text/event-stream" };
    const stream = await send("GET", `${path}/${FOLLOW}`, { ...call, headers });
    const notify = vi.spyOn(SessionObject.prototype, "notify");
    const endSockets = vi.spyOn(TenantObject.prototype, "endSockets");
    await ask("DELETE", `/v1/api-keys/${key.id}`, call);
    await waitFor(() => expect(notify).toHaveBeenCalledOnce());
    await notify.mock.results[0]?.value;
    // Behind what it was told meanwhile.
    await readLimits(call);
    await stream.body?.cancel();

    expect(endSockets).not.toHaveBeenCalled();
  });
});

describe("frames from a reader", () => {
  test("are passed over while they are few and small, and close it when they are not", async () => {
    const { call, path, say } = await openTold();
    const [flooding, large] = [
      await openSocket(`${path}/${FOLLOW}`, call),
      await openSocket(`${path}/${FOLLOW}`, call),
    ];
    for (let index = 0; index < MAX_READER_FRAMES; index += 1) flooding.send("{}");
    await say("Still here.");
    await flooding.until(hasEnds(2));
    flooding.send("{}");
    large.send("x".repeat(MAX_READER_FRAME_BYTES + 1));

    expect([await flooding.closed, await large.closed]).toEqual([
      [4413, "body_too_large"],
      [4413, "body_too_large"],
    ]);
  });
});

test("an upgrade on a route without a socket is refused, and starts nothing", async () => {
  const { call, path } = await openSession();
  const headers = { Upgrade: "websocket", "Sec-WebSocket-Protocol": "reprise.events.v1" };
  const asked = await ask("POST", `${path}/replies`, { ...call, headers, json: { input: "Hi." } });
  const { json } = await ask<{ data: unknown[] }>("GET", `${path}/messages`, call);

  expect([asked.status, asked.json.code, json.data]).toEqual([400, "validation_failed", []]);
});
