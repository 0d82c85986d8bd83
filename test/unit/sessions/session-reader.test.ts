// When a session's stream is tried again, on a clock that is set.
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

import type { LoggedEvent } from "../../../protocol/events.ts";
import { ApiError, ConnectionError } from "../../../sdk/index.ts";
import type { ConnectionState } from "../../../sdk/events/read-events.ts";
import { SessionReader } from "../../../sdk/store/session-reader.ts";
import { waitFor } from "../../support/wait-for.ts";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const GONE = new ConnectionError("no network");
const MINUTE_MS = 60_000;

/** A platform that is there or away, and whose streams stay open until they are aborted. */
function openReader() {
  const world = { failure: null as Error | null, tries: 0, ended: [] as unknown[], streams: 0 };
  const told: string[] = [];
  let show: (state: ConnectionState) => void = () => undefined;
  async function* events(signal: AbortSignal): AsyncGenerator<LoggedEvent, void> {
    world.streams += 1;
    show("open");
    await new Promise((_, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason as Error));
    });
    yield {} as LoggedEvent;
  }
  const reader = new SessionReader({
    load: async () => {
      world.tries += 1;
      if (world.failure) throw world.failure;
    },
    events: (signal, onConnectionChange) => {
      show = onConnectionChange;
      return events(signal);
    },
    take: async () => undefined,
    onConnection: (isOpen, isOffline) =>
      void told.push(isOffline ? "offline" : isOpen ? "open" : "lost"),
    onEnd: (error) => void world.ended.push(error),
  });
  const wait = (durationMs: number) => vi.advanceTimersByTimeAsync(durationMs);
  return { reader, world, told, wait };
}

describe("a session that cannot be reached", () => {
  test("is tried less and less often, and given up after five minutes", async () => {
    const { reader, world, wait } = openReader();
    world.failure = GONE;
    reader.begin();

    await wait(MINUTE_MS);
    const inFirstMinute = world.tries;
    await wait(5 * MINUTE_MS);
    const tries = world.tries;
    await wait(60 * MINUTE_MS);

    expect(inFirstMinute).toBeLessThan(15);
    expect(tries).toBeLessThan(50);
    expect([world.tries, world.ended]).toEqual([tries, [GONE]]);
  });

  test("is tried again when the person comes back, and at once", async () => {
    const { reader, world, told, wait } = openReader();
    world.failure = GONE;
    reader.begin();
    await wait(10 * MINUTE_MS);
    expect(world.ended).toEqual([GONE]);

    world.failure = null;
    reader.wake();
    await wait(0);

    expect([told.at(-1), world.streams]).toEqual(["open", 1]);
  });

  test("of a device that says it is offline is tried twice a minute, and never given up", async () => {
    const { reader, world, told, wait } = openReader();
    reader.begin();
    await wait(0);
    world.failure = GONE;
    reader.setOffline(true);
    await wait(0);
    const before = world.tries;

    await wait(60 * MINUTE_MS);

    expect([told.at(-1), world.ended]).toEqual(["offline", []]);
    expect(world.tries - before).toBeLessThanOrEqual(121);
    expect(world.tries - before).toBeGreaterThan(110);
    world.failure = null;
    reader.setOffline(false);
    await wait(0);
    expect(told.at(-1)).toBe("open");
  });
});

test("a refusal ends the reading at once, and coming back does not repeat it", async () => {
  const { reader, world, wait } = openReader();
  const refusal = new ApiError(new Response(null, { status: 404 }), null);
  world.failure = refusal;
  reader.begin();
  await wait(0);

  reader.wake();
  reader.setOffline(false);
  await wait(60 * MINUTE_MS);

  expect([world.tries, world.ended]).toEqual([1, [refusal]]);
  world.failure = null;
  reader.begin();
  await wait(0);
  expect(world.streams).toBe(1);
});

test("a delay is over when the person comes back", async () => {
  const { reader, world, told, wait } = openReader();
  world.failure = GONE;
  reader.begin();
  await wait(MINUTE_MS);
  const { tries } = world;

  world.failure = null;
  reader.wake();
  await wait(0);

  expect([world.tries, told.at(-1)]).toEqual([tries + 1, "open"]);
});

test("a stream that looks open is replaced when nothing has come for ten seconds, and not before", async () => {
  const { reader, world, wait } = openReader();
  reader.begin();
  await wait(0);

  await wait(5_000);
  reader.wake();
  await wait(0);
  expect(world.streams).toBe(1);
  await wait(6_000);
  reader.wake();
  await wait(0);

  expect(world.streams).toBe(2);
});

test("a reader that is stopped asks for nothing more", async () => {
  const { reader, world, wait } = openReader();
  world.failure = GONE;
  reader.begin();
  await wait(1_000);
  const { tries } = world;

  reader.stop();
  reader.wake();
  reader.begin();
  await wait(60 * MINUTE_MS);

  expect([world.tries, world.ended]).toEqual([tries, []]);
});

test("a backlog of events gives others their turn after each 32 milliseconds", async () => {
  let turns = 0;
  vi.stubGlobal("scheduler", {
    yield: async () => {
      turns += 1;
    },
  });
  let taken = 0;
  const reader = new SessionReader({
    load: async () => undefined,
    async *events() {
      for (let seq = 1; seq <= 100; seq += 1) yield { seq } as LoggedEvent;
      await new Promise(() => undefined);
    },
    take: async () => {
      taken += 1;
      vi.setSystemTime(Date.now() + 8);
    },
    onConnection: () => undefined,
    onEnd: () => undefined,
  });
  reader.begin();
  await waitFor(() => expect(taken).toBe(100));
  reader.stop();
  vi.unstubAllGlobals();

  expect(turns).toBe(25);
});
