// Longest time that the page's main thread was busy at a stretch, on a machine of any load.
import type { Page } from "playwright-core";

/**
 * The tasks of the page's main thread. A `PerformanceObserver` for long tasks counts the time in which other programs
 * have the processor as well, so what it reports is compared with the processor time of the trace: the test holds on a
 * machine of any load.
 *
 * @returns ends it: the tasks, and the milliseconds of processor time of the longest one.
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
    return { count: cpuMs.length, longestMs };
  };
}
