// Cron on this machine: the runtime calls no trigger by itself.
import { WALK_AT_START, WALK_INTERVAL_MS } from "../protocol/limits/queues.ts";

/**
 * Begins the walks over what the queue has lost: one now, which knows that the queue was in memory and is empty, and then
 * one after the other. A walk that fails is told of and changes nothing for the next.
 * @param trigger Calls the Worker's `scheduled` with cron's words.
 * @returns what ends them.
 */
export function startWalks(trigger: (cron: string) => Promise<unknown>): () => void {
  let isEnded = false;
  let timer: NodeJS.Timeout | undefined;
  async function walk(cron: string): Promise<void> {
    try {
      await trigger(cron);
    } catch (error) {
      if (!isEnded) console.error("a walk over what the queue has lost has failed:", error);
    }
    if (!isEnded) timer = setTimeout(() => void walk("* * * * *"), WALK_INTERVAL_MS).unref();
  }
  void walk(WALK_AT_START);
  return () => {
    isEnded = true;
    clearTimeout(timer);
  };
}
