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
  const crowd = await openCrowd(runtime);
  try {
    let floor: CrowdFigures | null = null;
    let platform: CrowdFigures | null = null;
    for (let round = 0; round < rounds; round += 1) {
      floor = await crowd.measure(() => openFloor(runtime, crowd.modelUrl));
      platform = await crowd.measureReplies("agentscope");
    }
    if (!floor || !platform) throw new Error("at least one round is needed");
    return { sessions: SESSIONS, floor, platform };
  } finally {
    await crowd.close();
  }
}

export interface OpenCrowd {
  readonly modelUrl: string;
  /** One stream for each of as many fresh sessions, all at once. */
  readonly measure: (open: (session: string) => Promise<Response>) => Promise<CrowdFigures>;
  /** One reply of each, in this format. */
  readonly measureReplies: (format: string) => Promise<CrowdFigures>;
  close(): Promise<void>;
}

export async function openCrowd(runtime: Runtime): Promise<OpenCrowd> {
  const model = await startFakeOpenAi((stream, request) =>
    paced(TOKENS, TOKENS_PER_SECOND).turn(stream, request),
  );
  const tenant = await createTenant(runtime, model.baseUrl);

  async function measureEach(open: (session: string) => Promise<Response>): Promise<CrowdFigures> {
    const sessions = await Promise.all(
      Array.from({ length: SESSIONS }, () => tenant.openSession()),
    );
    return measure(runtime.pid, sessions, open);
  }

  return {
    modelUrl: model.baseUrl,
    measure: measureEach,
    measureReplies: (format) =>
      measureEach((session) => openReply(runtime, tenant, session, format)),
    close: () => model.stop(),
  };
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

/** Each once: a dialect may tell the whole text again at the end. */
function countTokens(text: string): number {
  return new Set(text.match(/ t\d{5}/g)).size;
}
