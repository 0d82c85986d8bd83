// One run of a scenario: to its point, through the death, to its end with no client, and to what is left to answer.
import { abortAllDurableObjects } from "cloudflare:test";
import { vi } from "vitest";

import type { LoggedEvent } from "../../../protocol/events.ts";
import { HANG_HEADER } from "../../support/effect-server.ts";
import { pauseMs } from "../sessions/held-session.ts";
import type { CrashSession, Opener } from "./crash-session.ts";
import {
  abortObject,
  endWatch,
  findWatch,
  watchWrites,
  type WritePoint,
  type WriteWatch,
} from "./failpoint.ts";
import type { Scenario, Way } from "./scenarios.ts";

/** For which a reader may take what it can see, where nothing depends on what it has seen. */
const SEEING_MS = 30;
const LOOK_MS = 100;
/** Sessions that run at the same time. */
const BESIDE = 24;

export interface CrashedRun {
  readonly session: CrashSession;
  /** Number of events that the reader had seen when the machine died. */
  readonly seenBefore: number;
  /** Whether a request of its was left hanging. */
  readonly isHung: boolean;
  /** Whether the run came to its point. */
  readonly isReached: boolean;
}

interface CrashedAt extends CrashedRun {
  readonly point: WritePoint;
}

/** The durable writes that a scenario makes, by their content. */
export async function countWrites(scenario: Scenario, opener: Opener): Promise<readonly string[]> {
  const session = await prepare(scenario, opener);
  const watch = watchWrites(session.id, null);
  await begin(scenario, session);
  await session.settled();
  // The reply's last words for D1 come after its rest.
  await session.quiet();
  endWatch(session.id);
  return watch.writes;
}

interface Crashes {
  readonly way: Way;
  readonly scenario: Scenario;
  readonly opener: Opener;
  /** A condition on the events that its reader has seen before a machine dies; none when left out. */
  readonly hasSeen?: (seen: readonly LoggedEvent[]) => boolean;
}

/** Lets a session of its own die at each of the points, and brings it to its end. */
export async function crashAt(
  points: readonly WritePoint[],
  crashes: Crashes,
): Promise<readonly CrashedAt[]> {
  const runs: CrashedAt[] = [];
  const waiting = [...points];
  while (waiting.length > 0) {
    // All that die together have to stand at their points together.
    runs.push(...(await crashTogether(waiting.splice(0, BESIDE), crashes)));
  }
  return runs;
}

async function crashTogether(
  points: readonly WritePoint[],
  { way, scenario, opener, hasSeen = () => true }: Crashes,
): Promise<readonly CrashedAt[]> {
  const standing = await Promise.all(
    points.map(async (point) => {
      const session = await prepare(scenario, opener);
      const watch = watchWrites(session.id, point, way !== "hung fetch");
      const reading = session.read("after=0&follow=session");
      // A request to a machine that stops is not answered any more.
      const begun = begin(scenario, session).catch(() => undefined);
      await Promise.race([watch.reached(), begun.then(() => over(session, watch))]);
      if (way !== "hung fetch") {
        await pauseMs(SEEING_MS);
        while (!hasSeen(session.seen)) await pauseMs(LOOK_MS);
        await session.cut();
        await reading;
      }
      return { session, point, isReached: watch.isReached };
    }),
  );
  if (way === "abortAllDurableObjects") await abortAllDurableObjects();
  if (way === "ctx.abort") {
    // One after the other: the runtime does not bear several at the same moment.
    for (const { session } of standing) await abortObject(session.object);
  }
  return Promise.all(
    standing.map(async ({ session, point, isReached }) => {
      const seenBefore = session.seen.length;
      if (way !== "hung fetch") {
        endWatch(session.id);
        await session.wake().catch(() => undefined);
      }
      await finish(session);
      await session.cut();
      endWatch(session.id);
      return { session, point, isReached, seenBefore, isHung: hung.has(session.id) };
    }),
  );
}

/**
 * Resolves when there is nothing left to write: D1 is told in as many steps as it takes, so that a run may have fewer
 * of those than the one that was counted.
 */
async function over(session: CrashSession, watch: WriteWatch): Promise<void> {
  for (;;) {
    await pauseMs(LOOK_MS);
    if (watch.isReached) return watch.reached();
    if (await session.isOver()) return;
  }
}

/** Up to where the counting begins. */
async function prepare(scenario: Scenario, opener: Opener): Promise<CrashSession> {
  const session = await opener.open();
  if (scenario.from === "start") return session;
  if (scenario.from === "answer") {
    await session.say();
    await session.settled();
    await session.quiet();
    return session;
  }
  const watch = watchWrites(session.id, { write: scenario.firstDeath ?? 1, side: "before" });
  void session.say().catch(() => undefined);
  await watch.reached();
  await abortObject(session.object);
  endWatch(session.id);
  return session;
}

async function begin(scenario: Scenario, session: CrashSession): Promise<void> {
  if (scenario.from === "start") await session.say();
  else if (scenario.from === "answer") await session.answer();
  else await session.wake();
}

/** With no client, but for the requests that nobody got an answer to: those come again. */
async function finish(session: CrashSession): Promise<void> {
  for (;;) {
    const rest = await session.settled();
    if (rest === null) await session.say();
    else if (rest.startsWith("awaiting_")) await session.answer();
    else return;
  }
}

/** The sessions of which a request hangs. */
const hung = new Set<string>();

/** From the point on, the first request that leaves for a tool takes its effect and hangs. */
export function hangAtPoints(): () => void {
  const send = globalThis.fetch;
  const spy = vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => {
    const request = new Request(input, init as RequestInit);
    const text = await request.clone().text();
    const [sessionId] = /ses_\w+/.exec(text) ?? [];
    if (sessionId === undefined || hung.has(sessionId)) return send(request);
    const watch = findWatch(sessionId);
    // A request that was on its way when a machine stopped arrives.
    if (!watch?.isReached || watch.isStopped) return send(request);
    hung.add(sessionId);
    request.headers.set(HANG_HEADER, "1");
    return send(request);
  });
  return () => spy.mockRestore();
}
