// Sessions in whose tables something stands that no version has written, and machines that die of what they read.
import { abortAllDurableObjects, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { onTestFinished, vi } from "vitest";

import type { SessionInit } from "../../../durable-objects/api/session-api.ts";
import { abortObject, endWatch, watchWrites, type WritePoint } from "../crash/failpoint.ts";
import { pauseMs } from "../sessions/held-session.ts";
import { makeDue, parkedSession, rowsOf, type Parked } from "../confirmations/parked.ts";
import {
  createdSession,
  objectOf,
  openStream,
  readEvents,
  startReply,
} from "../sessions/session.ts";

/** Hides the platform's log lines about damage, which are not the test's. */
export function silenceLogs(): void {
  const logs = [vi.spyOn(console, "error"), vi.spyOn(console, "warn")];
  for (const log of logs) log.mockImplementation(() => {});
  onTestFinished(() => logs.forEach((log) => log.mockRestore()));
}

/** Chance has it that nothing is put off for it. */
export function spreadNothing(): void {
  const random = vi.spyOn(Math, "random").mockReturnValue(0);
  onTestFinished(() => random.mockRestore());
}

const LOOK_MS = 10;
const REPLY = "SELECT status, not_before FROM replies ORDER BY id DESC LIMIT 1";
const ENDED = new Set(["completed", "error"]);

export interface Poisoned {
  readonly init: SessionInit;
  readonly replyId: string;
}

/** A session whose reply was in the middle of its text when its machine was lost; nobody has looked at it since. */
export async function lostReply(agent: object = {}): Promise<Poisoned> {
  const init = await createdSession(agent);
  const { id } = await startReply(init, "/rate 200\n/words 100");
  await readEvents(await openStream(init, "after=0"), ({ type }) => type === "TEXT_BLOCK_DELTA");
  return { init, replyId: id };
}

/** As {@link lostReply}, of a reply that waits for a person. */
export async function waitingReply(): Promise<Poisoned & Pick<Parked, "call">> {
  const { init, parked, call } = await parkedSession();
  return { init, replyId: parked.id, call };
}

/** Changes what is stored, and then the machine is lost. */
export async function poison({ init }: Poisoned, ...statements: readonly string[]): Promise<void> {
  await runInDurableObject(objectOf(init), (_, { storage }) => {
    for (const statement of statements) storage.sql.exec(statement);
    return storage.sync();
  });
  await abortAllDurableObjects();
}

/** The alarm comes, whenever it is due; rejects when the machine dies of it. */
export function wake({ init }: Poisoned): Promise<boolean> {
  return runDurableObjectAlarm(objectOf(init));
}

/** More than any reply may cost. */
const MOST_DEATHS = 30;

/**
 * Wakes the session by its alarm, again and again, with a machine that dies at this point each time, until the reply is
 * at rest. @param died Called after each death. @returns how many machines that took.
 */
export async function dieUntilRest(
  poisoned: Poisoned,
  point: WritePoint,
  died: () => Promise<void> = async () => undefined,
): Promise<number> {
  let isCut = false;
  for (let deaths = 0; deaths < MOST_DEATHS; deaths += 1) {
    if (isCut) await repeatAlarm(poisoned);
    const death = await dieAt(poisoned, point);
    if (!death) return deaths;
    ({ isCut } = death);
    await died();
  }
  throw new Error("the reply never ended");
}

/**
 * The platform repeats an alarm whose machine died while it was handled. The tests' runtime deletes each before it is
 * handled, and forgets it.
 */
function repeatAlarm({ init }: Poisoned): Promise<void> {
  return runInDurableObject(objectOf(init), async (_, { storage }) => {
    if ((await storage.getAlarm()) === null) await storage.setAlarm(Date.now());
  });
}

interface Death {
  /** Whether an alarm was being handled. */
  readonly isCut: boolean;
}

/** Null when the reply came to its rest first. */
async function dieAt(poisoned: Poisoned, point: WritePoint): Promise<Death | null> {
  const { init } = poisoned;
  const watch = watchWrites(init.session_id, point);
  let handled = 0;
  let woken = 0;
  const wakeUp = () => {
    woken += 1;
    // A request to a machine that stops is not answered any more.
    void wake(poisoned).then(
      () => (handled += 1),
      () => undefined,
    );
  };
  wakeUp();
  let isSettled = false;
  while (!watch.isReached && !isSettled) {
    await pauseMs(LOOK_MS);
    const [row] = await rowsOf(poisoned.init, REPLY);
    isSettled = ENDED.has(String(row?.["status"]));
    if (Number(row?.["not_before"]) > Date.now()) {
      await endBackOff(poisoned);
      wakeUp();
    }
  }
  if (watch.isReached) {
    await watch.reached();
    await abortObject(objectOf(init));
  }
  endWatch(init.session_id);
  return watch.isReached ? { isCut: handled < woken } : null;
}

/** The time has come for which the reply waits. */
async function endBackOff(poisoned: Poisoned): Promise<void> {
  await rowsOf(poisoned.init, "UPDATE replies SET not_before = 1 WHERE not_before IS NOT NULL");
  await makeDue(poisoned.init, "watch");
}
