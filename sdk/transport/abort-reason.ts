/** @throws The signal's reason when it is aborted. React Native's signal has neither `throwIfAborted` nor a reason. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw abortReason(signal);
}

export function abortReason({ reason }: AbortSignal): unknown {
  return reason ?? Object.assign(new Error("aborted"), { name: "AbortError" });
}
