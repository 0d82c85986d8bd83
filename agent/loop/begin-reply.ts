import type { Ability } from "../ability.ts";
import type { EventLog, StopSignal } from "../ports.ts";
import type { ReplyState } from "../state/reply-state.ts";

interface BeginningReply {
  readonly abilities: readonly Ability[];
  readonly log: EventLog;
  readonly stop: StopSignal;
}

/** What abilities do before the first model call: each has its own append, and the next one finds it in the log. */
export async function beginReply({ abilities, log, stop }: BeginningReply): Promise<void> {
  for (const ability of abilities) {
    if (!ability.begin || stop.aborted || !isBeginning(log.state)) continue;
    // oxlint-disable-next-line no-await-in-loop
    const events = await ability.begin(log.state, stop);
    if (events.length > 0 && !stop.aborted) log.append(events);
  }
}

/** No model call of the reply has come to its end or was given up, and the reply has not ended without any. */
function isBeginning({ completed_steps, failed_model_calls, message }: ReplyState): boolean {
  return completed_steps === 0 && failed_model_calls === 0 && message.finished_reason === null;
}
