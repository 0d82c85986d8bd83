// The time that audio takes to a provider of voice and back, over the platform and over a bare relay.
import { setTimeout as sleep } from "node:timers/promises";

import type { Bench, Cell, Figure } from "../cell.ts";
import { readProcessorMs } from "../processor-time.ts";
import { quantile } from "../statistics.ts";
import {
  openPlatformLine,
  openRelayLine,
  type AudioLoad,
  type EchoLine,
} from "../voice/echo-line.ts";
import { startRelay, type Relay } from "../voice/start-relay.ts";

/** Milliseconds that a frame may take longer than over the relay, in the median. */
const MAX_OVER_MS = 2;
const SECONDS = 12;
const QUICK_SECONDS = 2;
/** Milliseconds until frames that are under way are back. */
const SETTLE_MS = 500;
/** Frames of the beginning that are not counted: code that has never run is slow. */
const WARM_UP_SHARE = 0.1;

interface NamedLoad extends AudioLoad {
  readonly name: string;
}

const LOADS: readonly NamedLoad[] = [
  { name: "80 ms at 24 kHz", frameMs: 80, rate: 24_000 },
  { name: "20 ms at 24 kHz", frameMs: 20, rate: 24_000 },
  { name: "80 ms at 48 kHz, which are resampled both ways", frameMs: 80, rate: 48_000 },
];

export const voice: Cell = {
  name: "voice",
  title: `frames of audio at the speed of speech, from the client to the provider and back, ${SECONDS} s each; raw: an object that passes them on (quick: ${QUICK_SECONDS} s)`,
  isQuick: false,
  async run(bench) {
    const relay = await startRelay();
    try {
      const figures: Figure[] = [];
      for (const load of LOADS) figures.push(...(await measureLoad(bench, relay, load)));
      return figures;
    } finally {
      await relay.stop();
    }
  },
};

interface Measured {
  readonly medianMs: number;
  readonly p99Ms: number;
  /** Milliseconds of the processor for a second of audio. */
  readonly processorMs: number | null;
}

async function measureLoad(
  bench: Bench,
  relay: Relay,
  load: NamedLoad,
): Promise<readonly Figure[]> {
  const raw: Measured[] = [];
  const reprise: Measured[] = [];
  // The first round is a warm-up.
  for (let round = 0; round <= bench.rounds; round += 1) {
    const [floor, platform] = await measureRound(bench, relay, load);
    if (round === 0) continue;
    raw.push(floor);
    reprise.push(platform);
  }
  const figure = (name: string, pick: (measured: Measured) => number | null): Figure => ({
    name,
    unit: "ms",
    samples: { raw: valuesOf(raw, pick), reprise: valuesOf(reprise, pick) },
  });
  return [
    {
      ...figure(`a frame of ${load.name}, p50`, ({ medianMs }) => medianMs),
      targets: [{ type: "over", peer: "raw", max: MAX_OVER_MS }],
    },
    figure("the same, p99", ({ p99Ms }) => p99Ms),
    figure("processor time for a second of it", ({ processorMs }) => processorMs),
  ];
}

function valuesOf(
  measured: readonly Measured[],
  pick: (one: Measured) => number | null,
): readonly number[] {
  return measured.map(pick).filter((value) => value !== null);
}

/** Frames of both leave in turn, half a frame apart, so that they meet the same noise of the machine. */
async function measureRound(
  { reprise, isQuick }: Bench,
  relay: Relay,
  load: AudioLoad,
): Promise<readonly [Measured, Measured]> {
  const { frameMs } = load;
  const seconds = isQuick ? QUICK_SECONDS : SECONDS;
  const frames = (seconds * 1_000) / frameMs;
  const lines = [
    await openRelayLine(relay.url, load),
    await openPlatformLine(reprise, relay.providerUrl, load),
  ] as const;
  const pids = [relay.pid, reprise.pid] as const;
  try {
    const before = pids.map(readProcessorMs);
    const startedAtMs = performance.now();
    for (let index = 0; index < 2 * frames; index += 1) {
      await sleep(Math.max(0, startedAtMs + (index * frameMs) / 2 - performance.now()));
      lines[index % 2]?.sendFrame();
    }
    await sleep(SETTLE_MS);
    const after = pids.map(readProcessorMs);
    const measured = (line: EchoLine, place: 0 | 1): Measured => {
      line.check();
      const tripsMs = line.tripsMs.slice(Math.floor(frames * WARM_UP_SHARE));
      if (line.tripsMs.length !== frames) {
        throw new Error(`${line.tripsMs.length} of ${frames} frames of audio came back`);
      }
      const [from, to] = [before[place] ?? null, after[place] ?? null];
      return {
        medianMs: quantile(tripsMs, 0.5),
        p99Ms: quantile(tripsMs, 0.99),
        processorMs: from === null || to === null ? null : (to - from) / seconds,
      };
    };
    return [measured(lines[0], 0), measured(lines[1], 1)];
  } finally {
    await Promise.all(lines.map((line) => line.close()));
  }
}
