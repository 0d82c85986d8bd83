// Waiting for what is to become true, however long this machine takes.
import { vi } from "vitest";

/** What has not come true by then never will; less than the limit of a test, which then says what it saw last. */
const PATIENCE_MS = 120_000;
const LOOK_MS = 20;

/** Looks again and again until `look` throws no more. @returns what it returned. */
export function waitFor<Value>(look: () => Value | Promise<Value>): Promise<Value> {
  return vi.waitFor(look, { timeout: PATIENCE_MS, interval: LOOK_MS });
}
