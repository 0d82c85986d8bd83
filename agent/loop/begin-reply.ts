import type { Ability } from "../ability.ts";
import type { EventLog, StopSignal } from "../ports.ts";
import type { ReplyState } from "../state/reply-state.ts";

interface BeginningReply {
  readonly abilities: readonly Ability[];
  readonly log: EventLog;
  readonly stop: StopSignal;
}

/**
 * Calls `begin` of the abilities before the first model call, or `resume` where that has ended. Each has its own append,
 * so that the next one finds its events in the log.
 */
export async function beginReply({ abilities, log, stop }: BeginningReply): Promise<void> {
  for (const ability of abilities) {
    if (stop.aborted || log.state.message.finished_reason !== null) return;
    const isBegun = !isBeginning(log.state);
    const asked = isBegun ? ability.resume?.(log.state, stop) : ability.begin?.(log.state, stop);
    const events = (await asked) ?? [];
    if (events.length > 0 && !stop.aborted) log.append(events);
  }
}

/** True until a model call of the reply has ended or failed. */
function isBeginning({ completed_steps, failed_model_calls }: ReplyState): boolean {
  return completed_steps === 0 && failed_model_calls === 0;
}
