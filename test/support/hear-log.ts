// What is said to the log, for a test that makes somebody say it: it is asserted and not printed.
import { onTestFinished, vi } from "vitest";

/** The first words of each error and warning from here to the end of the test, in their order. */
export function hearLog(): readonly unknown[] {
  const said: unknown[] = [];
  const hear = (words: unknown): void => void said.push(words);
  for (const level of ["error", "warn"] as const) {
    const spy = vi.spyOn(console, level).mockImplementation(hear);
    onTestFinished(() => spy.mockRestore());
  }
  return said;
}
