// The platform as a person runs it, killed with kill -9 again and again while sessions stream with tools.
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { listProcesses } from "../../scripts/processes.ts";
import {
  ApiError,
  Reprise,
  type LoggedEvent,
  type Msg,
  type Reply,
  type SessionHandle,
} from "../../sdk/index.ts";
import { startEffectServer, type Effect, type EffectServer } from "./effect-server.ts";
import { seededRandom } from "./seeded-random.ts";
import { readDevFile, startProcess, type Started } from "./start-process.ts";

/** Half of the sessions have a reader all the time; of the others nobody hears until everything is over. */
const WATCHED = 4;
const ALONE = 4;
/** Milliseconds that a tool works before it answers: long enough to be killed in. */
const TOOL_MS = 120;
/** Milliseconds that the platform lives between two kills. */
const MIN_LIFE_MS = 600;
const MAX_LIFE_MS = 2_600;
/**
 * For hangs only. Someone looks at an orphaned reply after 30 s, and it takes some more to its end; before that there
 * may be all the starts, of which each takes a minute on the slowest machine.
 */
const END_MS = 300_000;

export interface WatchedReply {
  /** The events that the reader was given, in their order. */
  readonly events: readonly LoggedEvent[];
  /** The message that the reader made of them. */
  readonly folded: Msg | null;
  /** The message that the platform stores, and all events of the reply as it replays them. */
  readonly stored: Msg | null;
  readonly replayed: readonly LoggedEvent[];
}

export interface SoakedSession {
  readonly id: string;
  readonly replies: readonly Reply[];
  readonly effects: readonly Effect[];
  /** Empty where nobody was connected. */
  readonly watched: readonly WatchedReply[];
}

export interface Soak {
  readonly sessions: readonly SoakedSession[];
  /** Sessions that D1 listed as idle before anybody asked for one of them. */
  readonly idleUnasked: number;
}

interface Reading {
  readonly replyId: string;
  readonly events: readonly LoggedEvent[];
  readonly folded: Msg | null;
}

/** @param seed Decides when the kills come and what the replies do. */
export async function soakInKills(rounds: number, seed: number): Promise<Soak> {
  const random = seededRandom(seed);
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "reprise-kills-")));
  const tools = await startEffectServer(TOOL_MS);
  let platform = await start(folder, "0");
  try {
    const { base_url: baseUrl, api_key: apiKey } = readDevFile(folder);
    const reconnect = { firstDelayMs: 100, maxDelayMs: 400, giveUpAfterMs: END_MS };
    const reprise = new Reprise({ baseUrl, apiKey, maxRetries: 1_000, reconnect });
    const { id: agent_id } = await reprise.agents.create(agentWith(tools.url));
    const ids: string[] = [];
    for (let made = 0; made < WATCHED + ALONE; made += 1) {
      ids.push((await reprise.sessions.create({ agent_id })).id);
    }

    const killing = { isOver: false };
    const watched = ids
      .slice(0, WATCHED)
      .map((id) => converse(reprise, id, script(random), killing));
    const alone = ids
      .slice(WATCHED)
      .map((id) => converseAlone(reprise, id, script(random), killing, tools));
    const readings = Promise.all(watched);
    const told = Promise.all(alone);
    // Whoever fails is heard of below; until then nobody waits for them.
    readings.catch(() => undefined);
    told.catch(() => undefined);
    for (let round = 0; round < rounds; round += 1) {
      await pause(MIN_LIFE_MS + random() * (MAX_LIFE_MS - MIN_LIFE_MS));
      await kill(platform, folder);
      platform = await start(folder, new URL(baseUrl).port);
    }
    killing.isOver = true;
    const [ofReaders] = await Promise.all([readings, told]);

    const idleUnasked = await waitForIdle(baseUrl, apiKey, agent_id, ids.length);
    const sessions = await Promise.all(
      ids.map((id, index) => collect(reprise, id, tools, ofReaders[index] ?? [])),
    );
    return { sessions, idleUnasked };
  } finally {
    await kill(platform, folder);
    await tools.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function start(folder: string, port: string): Promise<Started> {
  const started = startProcess(folder, port, "npm", true);
  await started.ready;
  if (!started.stdout()) throw new Error(`the platform did not start: ${started.stderr()}`);
  return started;
}

/** The whole group at once, and what should have left it. */
async function kill(platform: Started, folder: string): Promise<void> {
  await platform.killGroup();
  for (const { pid, command } of listProcesses()) {
    if (command.startsWith(`${folder}/workerd `)) process.kill(pid, "SIGKILL");
  }
}

function agentWith(url: string) {
  const tool = { type: "http" } as const;
  const beside = { concurrency_safe: true };
  return {
    name: "Desk",
    permission: { mode: "bypass" as const },
    tools: [
      { ...tool, name: "charge", url: `${url}/charge` },
      { ...tool, name: "charge_beside", url: `${url}/charge`, ...beside },
      { ...tool, name: "reserve_beside", url: `${url}/reserve`, ...beside, idempotent: true },
      { ...tool, name: "stream_charge", url: `${url}/stream/charge`, ...beside },
      { ...tool, name: "stream_reserve", url: `${url}/stream/reserve`, idempotent: true },
      { ...tool, name: "finish_reserve", url: `${url}/finish`, idempotent: true },
    ],
  };
}

/** Some seconds of words and tools in an order of its own; the last call tells the tool server that it came there. */
function script(random: () => number): string {
  const steps = [
    "/call charge {}",
    "/call charge_beside {}\n/call reserve_beside {}\n/call stream_charge {}",
    "/call stream_reserve {}",
    "/call stream_charge {}\n/call reserve_beside {}",
  ].toSorted(() => random() - 0.5);
  const turns = steps.map((step) => `/words ${10 + Math.floor(random() * 25)}\n${step}\n/then`);
  return ["/rate 60", "/think Let me see.", ...turns, "/call finish_reserve {}", "/words 12"].join(
    "\n",
  );
}

/** One reply after the other, read through everything. */
async function converse(
  reprise: Reprise,
  sessionId: string,
  input: string,
  killing: { readonly isOver: boolean },
): Promise<readonly Reading[]> {
  const readings: Reading[] = [];
  while (!killing.isOver) {
    const events: LoggedEvent[] = [];
    const stream = reprise.session(sessionId).reply(input);
    for await (const event of stream) events.push(event);
    readings.push({ replyId: stream.id ?? "", events, folded: stream.message() });
  }
  return readings;
}

/** One reply after the other, each asked for and then left alone: only the tool server hears how far it comes. */
async function converseAlone(
  reprise: Reprise,
  sessionId: string,
  text: string,
  killing: { readonly isOver: boolean },
  tools: EffectServer,
): Promise<void> {
  for (let asked = 1; !killing.isOver; asked += 1) {
    await startAlone(reprise.session(sessionId), text);
    const until = Date.now() + 2 * END_MS;
    let isAliveUntil = Infinity;
    while (countFinished(tools, sessionId) < asked) {
      // Many kills take longer than that; nobody looks while machines die, so the last one still leaves its time.
      if (killing.isOver) isAliveUntil = Math.min(isAliveUntil, Date.now() + END_MS);
      if (Date.now() > until && Date.now() > isAliveUntil)
        throw new Error(`the reply ${asked} of ${sessionId} never ended`);
      await pause(100);
    }
    // Its last words, and what D1 hears.
    await pause(1_000);
  }
}

function countFinished(tools: EffectServer, sessionId: string): number {
  const finished = tools.effects(sessionId).filter(({ tool }) => tool === "finish_reserve");
  return new Set(finished.map(({ tool_call_id }) => tool_call_id)).size;
}

/** The one before may have lost its machine between its last tool and its last word. */
async function startAlone(session: SessionHandle, text: string): Promise<void> {
  for (;;) {
    try {
      await session.replies.create(text, { background: true });
      return;
    } catch (error) {
      if (!ApiError.isInstance(error) || error.status !== 409) throw error;
      await pause(500);
    }
  }
}

/** Asks D1's list alone, which wakes no session. @returns how many it says are idle. */
async function waitForIdle(
  baseUrl: string,
  apiKey: string,
  agentId: string,
  count: number,
): Promise<number> {
  const url = `${baseUrl}/v1/sessions?agent_id=${agentId}&status=idle&limit=100`;
  const until = Date.now() + END_MS;
  for (;;) {
    const response = await fetch(url, { headers: { authorization: `Bearer ${apiKey}` } });
    const { data } = (await response.json()) as { data: readonly unknown[] };
    if (data.length === count || Date.now() > until) return data.length;
    await pause(250);
  }
}

async function collect(
  reprise: Reprise,
  id: string,
  tools: EffectServer,
  readings: readonly Reading[],
): Promise<SoakedSession> {
  const session = reprise.session(id);
  const replies: Reply[] = [];
  for await (const reply of session.replies.list()) replies.push(reply);
  const watched: WatchedReply[] = [];
  for (const { replyId, events, folded } of readings) {
    const replayed: LoggedEvent[] = [];
    for await (const event of session.events({ replyId })) replayed.push(event);
    watched.push({ events, folded, stored: (await session.message(replyId)).message, replayed });
  }
  return { id, replies, effects: tools.effects(id), watched };
}

function pause(waitMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, waitMs));
}
