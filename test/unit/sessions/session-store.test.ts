// A store whose platform is away for long, on a clock that is set.
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { ConnectionError, type SessionHandle } from "../../../sdk/index.ts";
import { SessionStore } from "../../../sdk/store/session-store.ts";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const GONE = new ConnectionError("no network");

/** A session without messages, whose stream stays open while the platform is there. */
function openSession() {
  const world = { isAway: false, sent: 0 };
  const session = {
    id: "ses_1",
    get: async () => ({ cursor: 3, reply_id: null, queued_reply_ids: [], pending: [] }),
    messages: {
      list: () => ({ page: async () => ({ data: [], cursor: 3, next_page: null }) }),
    },
    events: async function* ({
      signal,
      onConnectionChange,
    }: Parameters<SessionHandle["events"]>[0] & object) {
      if (world.isAway) throw GONE;
      onConnectionChange?.("open");
      await new Promise((_, reject) => {
        signal?.addEventListener("abort", () => reject(signal.reason as Error));
      });
      yield {};
    },
    replies: {
      create: async () => {
        world.sent += 1;
        if (world.isAway) throw GONE;
        return { id: "rep_1", cursor: 3, status: "running" };
      },
    },
  };
  let wake: () => void = () => undefined;
  const onForeground = (listener: () => void) => {
    wake = listener;
    return () => undefined;
  };
  const store = new SessionStore(session as unknown as SessionHandle, {
    storage: null,
    signals: { onForeground },
  });
  const wait = (durationMs: number) => vi.advanceTimersByTimeAsync(durationMs);
  return { store, world, wait, comeToFront: () => wake() };
}

test("a failure of five minutes is an error, and is none any more when the person comes back", async () => {
  const { store, world, wait, comeToFront } = openSession();
  const leave = store.subscribe(() => undefined);
  await wait(0);
  expect(store.getState().status).toBe("idle");

  world.isAway = true;
  await wait(11_000);
  comeToFront();
  await wait(1_000);
  expect(store.getState().status).toBe("reconnecting");
  await wait(600_000);
  expect(store.getState()).toMatchObject({ status: "error", error: GONE });
  world.isAway = false;
  comeToFront();
  await wait(1_000);

  expect(store.getState()).toMatchObject({ status: "idle", error: null });
  leave();
  await wait(0);
});

test("a message waits for the connection, and has failed when that is given up", async () => {
  const { store, world, wait, comeToFront } = openSession();
  const leave = store.subscribe(() => undefined);
  await wait(0);
  world.isAway = true;
  await wait(11_000);
  comeToFront();
  await wait(1_000);

  const sending = store.send("Hello?");
  await wait(60_000);
  expect([store.getState().outgoing[0]?.state, world.sent]).toEqual(["sending", 0]);
  await wait(600_000);

  await expect(sending).rejects.toBe(GONE);
  expect(store.getState().outgoing).toMatchObject([{ state: "failed", error: GONE }]);
  world.isAway = false;
  comeToFront();
  await store.retry(store.getState().outgoing[0]?.id ?? "");
  expect([store.getState().status, world.sent]).toEqual(["running", 1]);
  leave();
  await wait(0);
});
