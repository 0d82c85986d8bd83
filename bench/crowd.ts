// Many sessions at once: how fast they are served, and what a token costs the processor.
import { paced, startFakeOpenAi } from "../test/support/fake-openai.ts";
import { readProcessorMs } from "./processor-time.ts";
import type { Runtime } from "./runtime.ts";
import { openFloor, openReply } from "./streams.ts";
import { createTenant } from "./tenant.ts";

const SESSIONS = 32;
const TOKENS = 300;
const TOKENS_PER_SECOND = 50;

export interface CrowdFigures {
  /** Over all sessions, to the last token of the last one. */
  readonly tokensPerSecond: number;
  /** Milliseconds of processor time of the runtime for 100,000 tokens; null where it cannot be read. */
  readonly processorMs: number | null;
}

export interface Crowd {
  readonly sessions: number;
  readonly floor: CrowdFigures;
  readonly platform: CrowdFigures;
}

/** @param rounds Of each; the first one is a warm-up and not counted. */
export async function measureCrowd(runtime: Runtime, rounds = 2): Promise<Crowd> {
  const model = await startFakeOpenAi((stream, request) =>
    paced(TOKENS, TOKENS_PER_SECOND).turn(stream, request),
  );
  try {
    const tenant = await createTenant(runtime, model.baseUrl);
    const each = async (open: (session: string) => Promise<Response>): Promise<CrowdFigures> => {
      const sessions = await Promise.all(
        Array.from({ length: SESSIONS }, () => tenant.openSession()),
      );
      return measure(runtime.pid, sessions, open);
    };
    let floor: CrowdFigures | null = null;
    let platform: CrowdFigures | null = null;
    for (let round = 0; round < rounds; round += 1) {
      floor = await each(() => openFloor(runtime, model.baseUrl));
      platform = await each((session) => openReply(runtime, tenant, session));
    }
    if (!floor || !platform) throw new Error("at least one round is needed");
    return { sessions: SESSIONS, floor, platform };
  } finally {
    await model.stop();
  }
}

async function measure(
  pid: number,
  sessions: readonly string[],
  open: (session: string) => Promise<Response>,
): Promise<CrowdFigures> {
  const before = readProcessorMs(pid);
  const startedAtMs = performance.now();
  const tokens = await Promise.all(
    sessions.map(async (session) => countTokens(await (await open(session)).text())),
  );
  const lastedMs = performance.now() - startedAtMs;
  const after = readProcessorMs(pid);
  const total = tokens.reduce((sum, count) => sum + count, 0);
  if (total !== sessions.length * TOKENS) throw new Error(`${total} tokens arrived`);
  return {
    tokensPerSecond: (total / lastedMs) * 1_000,
    processorMs: before === null || after === null ? null : ((after - before) / total) * 100_000,
  };
}

function countTokens(text: string): number {
  return text.match(/ t\d{5}/g)?.length ?? 0;
}
