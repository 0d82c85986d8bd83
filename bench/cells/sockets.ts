// Sockets over which nothing happens, in a runtime that puts idle objects away: whether any object stays in memory for them,
// what they take of it, and what a stream beside them notices.
import { setTimeout as sleep } from "node:timers/promises";

import type { Bench, Cell, Figure } from "../cell.ts";
import { startReprise, type Reprise } from "../peers/reprise.ts";
import { readMemoryBytes } from "../process-memory.ts";
import { openSessions, replyAll } from "../sessions.ts";
import { openIdleSockets } from "../sockets/idle-sockets.ts";
import { countOpenObjects } from "../sockets/open-objects.ts";
import { quantile } from "../statistics.ts";

/** Milliseconds behind the last thing that happened, when no object may be in memory: idle ones are put away after ten seconds. */
const IDLE_MS = 15_000;
/** Milliseconds until the sessions know that their sockets are closed. */
const CLOSE_MS = 2_000;
const STREAMS = 4;
const TOKENS_PER_SECOND = 50;

interface Load {
  /** Processes of the platform, which share nothing. */
  readonly processes: number;
  /** Of each process. */
  readonly sessions: number;
  /** Of each session, one of them a voice connection. */
  readonly sockets: number;
  /** Times in which they are opened, with a pause behind each. */
  readonly parts: number;
  readonly tokens: number;
}

/**
 * The runtime holds two open files for each socket, and a process may have 20,000 on most machines: with 10,000 sockets it
 * ends, so that two have half of them each.
 */
const WHOLE: Load = { processes: 2, sessions: 50, sockets: 100, parts: 2, tokens: 1_000 };
/** For a look at whether it works. */
const SMALL: Load = { processes: 2, sessions: 5, sockets: 20, parts: 1, tokens: 100 };

export const sockets: Cell = {
  name: "sockets",
  title: `${socketsOf(WHOLE).toLocaleString("en-US")} idle sockets on ${WHOLE.processes * WHOLE.sessions} sessions, of each one is a voice connection, in ${WHOLE.processes} processes of a runtime that puts idle objects away, and ${STREAMS} streams at ${TOKENS_PER_SECOND} tokens/s beside them in one of these (quick: ${socketsOf(SMALL)})`,
  isQuick: false,
  async run({ model, isQuick }: Bench) {
    const load = isQuick ? SMALL : WHOLE;
    const started: Reprise[] = [];
    try {
      while (started.length < load.processes) {
        started.push(await startReprise(model, { evictsObjects: true }));
      }
      return await measure(started, load);
    } finally {
      await Promise.all(started.map((reprise) => reprise.stop()));
    }
  },
};

function socketsOf({ processes, sessions, sockets: each }: Load): number {
  return processes * sessions * each;
}

async function measure(platforms: readonly Reprise[], load: Load): Promise<readonly Figure[]> {
  const { processes, sessions, parts, tokens } = load;
  const [reprise] = platforms;
  if (!reprise) throw new Error("there is no platform");
  // The first is a warm-up of code.
  await streamLag(reprise, tokens);
  const alone = await streamLag(reprise, tokens);
  const opened = await Promise.all(platforms.map((one) => openIdleSockets(one, load)));
  const close = () => opened.forEach((sockets) => sockets.close());
  try {
    const sizes: number[] = [];
    for (let part = 0; part < parts; part += 1) {
      await Promise.all(opened.map((sockets) => sockets.openMore(sessions / parts)));
      if (openObjects(platforms) === 0) throw new Error("no object is seen in memory");
      await sleep(IDLE_MS);
      sizes.push(platforms.reduce((sum, { pid }) => sum + readMemoryBytes(pid), 0));
    }
    const stayed = openObjects(platforms);
    const beside = await streamLag(reprise, tokens);
    const wakesBefore = await readWakes(platforms);
    await Promise.all(opened.map((sockets) => sockets.tellAll()));
    const wakes = (await readWakes(platforms)) - wakesBefore;
    const unheard = opened.reduce((sum, sockets) => sum + sockets.unheard(), 0);
    close();
    await sleep(CLOSE_MS);
    const after = await streamLag(reprise, tokens);
    return [
      none("objects in memory after 15 s", stayed),
      none("sessions that did not have to come back into it", processes * sessions - wakes),
      none("sockets that were lost, or not told what then happened", unheard),
      ...memoryFigures(sizes, load),
      figureOf("a token of a stream, p99, before there are sockets", "ms", alone),
      figureOf("beside them", "ms", beside),
      figureOf("after they are closed", "ms", after),
    ];
  } finally {
    close();
  }
}

function openObjects(platforms: readonly Reprise[]): number {
  return platforms.reduce((sum, { pid }) => sum + countOpenObjects(pid), 0);
}

async function readWakes(platforms: readonly Reprise[]): Promise<number> {
  const counts = await Promise.all(platforms.map((one) => one.readWakes()));
  return counts.reduce((sum, count) => sum + count, 0);
}

function none(name: string, value: number): Figure {
  return { ...figureOf(name, "count", value), targets: [{ type: "value", max: 0 }] };
}

/** By the last part alone: the first one's sockets find memory that is free, or grow what is kept for all. */
function memoryFigures(sizes: readonly number[], load: Load): readonly Figure[] {
  const [last, before] = sizes.toReversed();
  if (last === undefined || before === undefined) return [];
  const bytes = (last - before) / (socketsOf(load) / load.parts);
  return [figureOf("memory of a socket, of the last half", "KB", bytes / 1_000)];
}

function figureOf(name: string, unit: Figure["unit"], value: number): Figure {
  return { name, unit, samples: { reprise: [value] } };
}

/** Milliseconds from the model to the client, of tokens behind the first. */
async function streamLag(reprise: Reprise, tokens: number): Promise<number> {
  const sessions = await openSessions(reprise, STREAMS);
  const readers = await replyAll(sessions, { tokens, rate: TOKENS_PER_SECOND });
  return quantile(
    readers.flatMap(({ agesMs }) => agesMs.slice(1)),
    0.99,
  );
}
