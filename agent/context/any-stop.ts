import type { StopSignal } from "../ports.ts";

/** A signal that aborts with the first of two, as `AbortSignal.any`. Call `forget` when it is not needed any more. */
export function anyStop(
  one: StopSignal,
  other: StopSignal,
): { readonly stop: StopSignal; readonly forget: () => void } {
  const listeners = new Set<() => void>();
  const abort = (): void => {
    const told = [...listeners];
    listeners.clear();
    for (const listener of told) listener();
  };
  for (const source of [one, other]) source.addEventListener("abort", abort, { once: true });
  return {
    stop: {
      get aborted() {
        return one.aborted || other.aborted;
      },
      addEventListener: (_, listener) => void listeners.add(listener),
      removeEventListener: (_, listener) => void listeners.delete(listener),
    },
    forget: () => {
      for (const source of [one, other]) source.removeEventListener("abort", abort);
    },
  };
}
