// Cron for the local platform: workerd calls no triggers by itself.
import { SWEEP_AT_START, SWEEP_INTERVAL_MS } from "../protocol/operator/limits.ts";

/**
 * Runs the cron sweep periodically: first at once, because the in-memory queue is empty after a start, then one after
 * the other. A failed sweep is logged and repeated at the next interval.
 * @param trigger Calls the Worker's `scheduled` with a cron expression.
 * @returns a function that stops the sweeps.
 */
export function startSweeps(trigger: (cron: string) => Promise<unknown>): () => void {
  let isEnded = false;
  let timer: NodeJS.Timeout | undefined;
  async function sweep(cron: string): Promise<void> {
    try {
      await trigger(cron);
    } catch (error) {
      if (!isEnded) console.error("cron sweep failed; will run again:", error);
    }
    if (!isEnded) timer = setTimeout(() => void sweep("* * * * *"), SWEEP_INTERVAL_MS).unref();
  }
  void sweep(SWEEP_AT_START);
  return () => {
    isEnded = true;
    clearTimeout(timer);
  };
}
