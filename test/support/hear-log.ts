// What is said to the log, for a test that makes somebody say it: it is asserted and not printed.
import { onTestFinished, vi } from "vitest";

/**
 * What the platform says by itself, whichever test runs: the queue about jobs of earlier files, which are under way
 * while a test breaks D1 or aborts all objects, and a session on a slow machine whose tenant's object took long.
 */
const UNPROMPTED: readonly unknown[] = [
  "queue: job failed; will retry",
  "could not get a lease from the tenant's object",
];

/**
 * The first words of each error and warning from here to the end of the test, in their order; of a line of JSON its
 * value.
 * @param prompted Which of the lines in {@link UNPROMPTED} this test causes itself: these are heard, the others not.
 */
export function hearLog(prompted: readonly unknown[] = []): readonly unknown[] {
  const { said, stop } = listenToLog(prompted);
  onTestFinished(stop);
  return said;
}

/** The same for a hook, outside of a test: until it is stopped. */
export function listenToLog(prompted: readonly unknown[] = []): {
  readonly said: readonly unknown[];
  readonly stop: () => void;
} {
  const said: unknown[] = [];
  const hear = (words: unknown): void => {
    if (UNPROMPTED.includes(words) && !prompted.includes(words)) return;
    said.push(valueOf(words));
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
