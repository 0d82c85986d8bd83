// Waiting for what is to become true, however long this machine takes.

/**
 * A condition that has not come true by then never will; less than the limit of a test, which then says what it saw
 * last.
 */
const PATIENCE_MS = 120_000;
const FIRST_PAUSE_MS = 20;
/** Looks cost the processor time that is waited for: who has waited for long looks less often. */
const PAUSE_SHARE = 0.1;
const LAST_PAUSE_MS = 100;

/** As they are now: tests hold timers, and fake them and the clock. */
const { setTimeout: start } = globalThis;
const readClock = performance.now.bind(performance);

/** Looks again and again until `look` throws no more. @returns what it returned. */
export async function waitFor<Value>(look: () => Value | Promise<Value>): Promise<Value> {
  const begunAt = readClock();
  for (;;) {
    try {
      return await look();
    } catch (error) {
      const waitedMs = readClock() - begunAt;
      if (waitedMs > PATIENCE_MS) throw error;
      await pauseAfter(waitedMs);
    }
  }
}

/** The same where a look says by `undefined` that it saw nothing: an assertion that fails costs more than most looks. */
export async function waitUntil<Value>(
  look: () => Value | undefined | Promise<Value | undefined>,
): Promise<Value> {
  const begunAt = readClock();
  for (;;) {
    const seen = await look();
    if (seen !== undefined) return seen;
    const waitedMs = readClock() - begunAt;
    if (waitedMs > PATIENCE_MS) throw new Error(`${String(look)} has seen nothing`);
    await pauseAfter(waitedMs);
  }
}

function pauseAfter(waitedMs: number): Promise<void> {
  const pauseMs = Math.min(LAST_PAUSE_MS, Math.max(FIRST_PAUSE_MS, waitedMs * PAUSE_SHARE));
  return new Promise((resolve) => start(resolve, pauseMs));
}
