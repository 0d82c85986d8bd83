/** Milliseconds for which events are taken before the page gets to paint and to answer its person: two frames. */
const SLICE_MS = 32;

interface YieldGlobals {
  readonly scheduler?: { readonly yield?: () => Promise<void> };
  readonly MessageChannel?: new () => {
    readonly port1: { onmessage: (() => void) | null; close(): void };
    readonly port2: { postMessage(message: null): void };
  };
}

/**
 * Bounds the time that a backlog holds the page: events that have arrived already are read without a pause between them.
 * Unlike timers, it is not slowed down in a page that is not shown.
 */
export class TimeSlice {
  #startMs = Date.now();

  /** Call behind each piece of work. Resolves at once while the slice lasts, else when others had their turn. */
  async pass(): Promise<void> {
    const passedMs = Date.now() - this.#startMs;
    if (passedMs >= 0 && passedMs < SLICE_MS) return;
    await nextTask();
    this.#startMs = Date.now();
  }
}

function nextTask(): Promise<void> {
  const { scheduler, MessageChannel } = globalThis as unknown as YieldGlobals;
  if (scheduler?.yield) return scheduler.yield();
  return new Promise((resolve) => {
    if (!MessageChannel) return void setTimeout(resolve, 0);
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}
