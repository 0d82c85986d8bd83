// Longest time that the page's main thread was busy at a stretch, on a machine of any load.
import type { Page } from "playwright-core";

/** Runs of the floor, of which the median counts. */
const FLOOR_RUNS = 9;

/** Floors from which a task is long: a page that works for so long at a stretch is felt to hang. */
export const LONG_TASK = 8;

/** A fixed piece of work in the page, its floor: about 16 ms on a quiet machine. */
const MEASURE_FLOOR = `(() => {
  const rows = Array.from({ length: 4_000 }, (_, index) => ({ id: "row " + index, at: index, of: { name: "x" } }));
  const runs = Array.from({ length: ${FLOOR_RUNS} }, () => {
    const began = performance.now();
    for (let turn = 0; turn < 4; turn += 1) JSON.parse(JSON.stringify(rows));
    return performance.now() - began;
  });
  return runs.sort((one, other) => one - other)[${(FLOOR_RUNS - 1) / 2}];
})()`;

/**
 * The tasks of the page's main thread. A `PerformanceObserver` for long tasks counts the time in which other programs
 * have the processor as well, so what it reports is compared with the processor time of the trace. That grows on a busy
 * machine too, by shared caches and cores, so it is told in floors: a piece of work that is measured in the same run.
 *
 * @returns ends it: the tasks, and the processor time of the longest one in floors. Six floors are about 100 ms on a quiet
 * machine.
 */
export async function watchTasks(page: Page) {
  await page.evaluate(`globalThis.longTasks = [];
    globalThis.taskObserver = new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) globalThis.longTasks.push(duration);
    });
    globalThis.taskObserver.observe({ type: "longtask" });`);
  const devtools = await page.context().newCDPSession(page);
  const cpuMs: number[] = [];
  devtools.on("Tracing.dataCollected", ({ value }) => {
    for (const { name, tdur } of value as unknown as { name: string; tdur?: number }[]) {
      if (name === "RunTask" && tdur !== undefined) cpuMs.push(tdur / 1_000);
    }
  });
  await devtools.send("Tracing.start", {
    transferMode: "ReportEvents",
    traceConfig: { includedCategories: ["disabled-by-default-devtools.timeline"] },
  });
  return async () => {
    const isComplete = new Promise((resolve) => devtools.once("Tracing.tracingComplete", resolve));
    await devtools.send("Tracing.end");
    await isComplete;
    const observedMs = await page.evaluate<number>("Math.max(0, ...globalThis.longTasks)");
    const longestMs = Math.min(observedMs, Math.max(...cpuMs));
    const floorMs = await page.evaluate<number>(MEASURE_FLOOR);
    return { count: cpuMs.length, longest: longestMs / floorMs };
  };
}
