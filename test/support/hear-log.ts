// What is said to the log, for a test that makes somebody say it: it is asserted and not printed.
import { onTestFinished, vi } from "vitest";

/** The first words of each error and warning from here to the end of the test, in their order; of a line of JSON its value. */
export function hearLog(): readonly unknown[] {
  const { said, stop } = listenToLog();
  onTestFinished(stop);
  return said;
}

/** The same for a hook, outside of a test: until it is stopped. */
export function listenToLog(): { readonly said: readonly unknown[]; readonly stop: () => void } {
  const said: unknown[] = [];
  const hear = (words: unknown): void => void said.push(valueOf(words));
  const spies = (["error", "warn"] as const).map((level) =>
    vi.spyOn(console, level).mockImplementation(hear),
  );
  return { said, stop: () => spies.forEach((spy) => spy.mockRestore()) };
}

function valueOf(words: unknown): unknown {
  const isJson = typeof words === "string" && words.startsWith("{");
  return isJson ? (JSON.parse(words) as unknown) : words;
}
