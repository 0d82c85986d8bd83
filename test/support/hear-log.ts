// Lines of the log, for a test that makes somebody write them: they are asserted and not printed.
import { onTestFinished, vi } from "vitest";

/**
 * Said of a job of the queue that failed. A test that aborts all objects, and D1 with them, makes jobs of earlier files
 * fail that are just under way: it leaves these lines out.
 */
export const JOB_FAILED = "queue: job failed; will retry";

/** A session says so on a machine so slow that its tenant's object took two seconds. No test of this log is about that. */
const SLOW_MACHINE = "could not get a lease from the tenant's object";

/**
 * The first words of each error and warning from here to the end of the test, in their order; of a line of JSON its
 * value.
 * @param leftOut Lines that other tests may cause meanwhile.
 */
export function hearLog(leftOut: readonly unknown[] = []): readonly unknown[] {
  const { said, stop } = listenToLog(leftOut);
  onTestFinished(stop);
  return said;
}

/** The same for a hook, outside of a test: until it is stopped. */
export function listenToLog(leftOut: readonly unknown[] = []): {
  readonly said: readonly unknown[];
  readonly stop: () => void;
} {
  const said: unknown[] = [];
  const hear = (words: unknown): void => {
    if (words !== SLOW_MACHINE && !leftOut.includes(words)) said.push(valueOf(words));
  };
  const spies = (["error", "warn"] as const).map((level) =>
    vi.spyOn(console, level).mockImplementation(hear),
  );
  return { said, stop: () => spies.forEach((spy) => spy.mockRestore()) };
}

function valueOf(words: unknown): unknown {
  const isJson = typeof words === "string" && words.startsWith("{");
  return isJson ? (JSON.parse(words) as unknown) : words;
}
