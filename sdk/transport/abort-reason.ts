/** @throws The signal's reason when it is aborted. The signal of React Native has no `throwIfAborted` and no reason. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw abortReason(signal);
}

export function abortReason({ reason }: AbortSignal): unknown {
  return reason ?? Object.assign(new Error("aborted"), { name: "AbortError" });
}
