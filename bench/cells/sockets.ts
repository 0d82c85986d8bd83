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
  readonly sessions: number;
  /** Of each session, one of them a voice connection. */
  readonly sockets: number;
  /** Times in which they are opened, with a pause behind each. */
  readonly parts: number;
  readonly tokens: number;
}

/**
 * The runtime holds two open files for each socket, and a process may have 20,000 on most machines: with 10,000 sockets it
 * ends.
 */
const WHOLE: Load = { sessions: 100, sockets: 90, parts: 2, tokens: 1_000 };
/** For a look at whether it works. */
const SMALL: Load = { sessions: 10, sockets: 20, parts: 1, tokens: 100 };

export const sockets: Cell = {
  name: "sockets",
  title: `${(WHOLE.sessions * WHOLE.sockets).toLocaleString("en-US")} idle sockets on ${WHOLE.sessions} sessions, of each one is a voice connection, in a runtime that puts idle objects away, and ${STREAMS} streams at ${TOKENS_PER_SECOND} tokens/s beside them (quick: ${SMALL.sessions * SMALL.sockets})`,
  isQuick: false,
  async run({ model, isQuick }: Bench) {
    const reprise = await startReprise(model, { evictsObjects: true });
    try {
      return await measure(reprise, isQuick ? SMALL : WHOLE);
    } finally {
      await reprise.stop();
    }
  },
};

async function measure(reprise: Reprise, load: Load): Promise<readonly Figure[]> {
  const { sessions, parts, tokens } = load;
  // The first is a warm-up of code.
  await streamLag(reprise, tokens);
  const alone = await streamLag(reprise, tokens);
  const opened = await openIdleSockets(reprise, load);
  try {
    const sizes: number[] = [];
    for (let part = 0; part < parts; part += 1) {
      await opened.openMore(sessions / parts);
      if (countOpenObjects(reprise.pid) === 0) throw new Error("no object is seen in memory");
      await sleep(IDLE_MS);
      sizes.push(readMemoryBytes(reprise.pid));
    }
    const stayed = countOpenObjects(reprise.pid);
    const beside = await streamLag(reprise, tokens);
    const wakesBefore = await reprise.readWakes();
    await opened.tellAll();
    const wakes = (await reprise.readWakes()) - wakesBefore;
    const unheard = opened.unheard();
    opened.close();
    await sleep(CLOSE_MS);
    const after = await streamLag(reprise, tokens);
    return [
      none("objects in memory after 15 s", stayed),
      none("sessions that did not have to come back into it", sessions - wakes),
      none("sockets that were lost, or not told what then happened", unheard),
      ...memoryFigures(sizes, load),
      figureOf("a token of a stream, p99, before there are sockets", "ms", alone),
      figureOf("beside them", "ms", beside),
      figureOf("after they are closed", "ms", after),
    ];
  } finally {
    opened.close();
  }
}

function none(name: string, value: number): Figure {
  return { ...figureOf(name, "count", value), targets: [{ type: "value", max: 0 }] };
}

/** By the last part alone: the first one's sockets find memory that is free, or grow what is kept for all. */
function memoryFigures(
  sizes: readonly number[],
  { sessions, sockets: each, parts }: Load,
): readonly Figure[] {
  const [last, before] = sizes.toReversed();
  if (last === undefined || before === undefined) return [];
  const bytes = (last - before) / ((sessions * each) / parts);
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
