import { untilAborted } from "./until-aborted.ts";

/** Waits, and rejects with the signal's reason as soon as it is aborted. */
export async function pause(durationMs: number, signal: AbortSignal | undefined): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const wait = new Promise<void>((resolve) => (timer = setTimeout(resolve, durationMs)));
  try {
    await untilAborted(wait, signal);
  } finally {
    clearTimeout(timer);
  }
}
