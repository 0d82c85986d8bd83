import { heldCallIds } from "../state/input-record.ts";
import type { EventLog } from "../ports.ts";
import { unfinishedCalls } from "../state/reply-state.ts";
import { startedCallIds } from "../state/started-call-ids.ts";

/**
 * Lets the reply wait for a person while its execution holds a connection open, unless another of its calls runs.
 * Readers see a reply that waits, as any other.
 */
export function parkHeld(log: EventLog): void {
  const { state } = log;
  if (heldCallIds(state).length === 0 || startedCallIds(state).size > 0) return;
  const isAsking = unfinishedCalls(state).some((call) => call.state === "asking");
  log.park(isAsking ? "awaiting_permission" : "awaiting_external_result", { isHeld: true });
}
