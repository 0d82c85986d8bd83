// `npx node bench/translation.ts [--check]`: what a token costs the processor when its stream is translated, over what it
// costs in the log's own format. With --check it fails above the target.
import { openCrowd, type OpenCrowd } from "./crowd.ts";
import { startRuntime } from "./runtime.ts";
import { quantile } from "./statistics.ts";

const FORMATS = ["agentscope", "agentscope-java", "ag-ui"] as const;
const ROUNDS = 3;
/** Over the native stream. */
const MAX_RATIO = 1.2;

const runtime = await startRuntime();
const crowd = await openCrowd(runtime).catch(async (error: unknown) => {
  await runtime.stop();
  throw error;
});
try {
  report(await measure(crowd));
} finally {
  await crowd.close();
  await runtime.stop();
}

/** Processor time for 100,000 tokens, by format. They take turns; the first round warms up and is not counted. */
async function measure({ measureReplies }: OpenCrowd): Promise<ReadonlyMap<string, number>> {
  const timesMs = new Map(FORMATS.map((format) => [format, [] as number[]]));
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const [format, times] of timesMs) {
      const { processorMs } = await measureReplies(format);
      if (processorMs === null) throw new Error("this system does not tell the processor time");
      if (round > 0) times.push(processorMs);
    }
    console.error(`round ${round} of ${ROUNDS}`);
  }
  return new Map([...timesMs].map(([format, times]) => [format, quantile(times, 0.5)]));
}

function report(timesMs: ReadonlyMap<string, number>): void {
  const nativeMs = timesMs.get("agentscope") ?? Number.NaN;
  console.log("format             processor time for 100,000 tokens   ratio");
  for (const [format, timeMs] of timesMs) {
    const ratio = timeMs / nativeMs;
    const time = `${(timeMs / 1_000).toFixed(1)} s`;
    console.log(`${format.padEnd(18)} ${time.padStart(34)} ${ratio.toFixed(2).padStart(7)}`);
    if (process.argv.includes("--check") && !(ratio < MAX_RATIO)) process.exitCode = 1;
  }
}
