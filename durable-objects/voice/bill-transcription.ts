// Tokens of writing down what a user has said: D1 has them as it has those of a summary, by the model's name.
import type { LoggedEvent } from "../../protocol/events.ts";
import { WATCHDOG_INTERVAL_MS } from "../../protocol/replies/limits.ts";
import type { SpeechChange } from "../../protocol/voice/events.ts";
import { SPEECH_TRANSCRIBED } from "../../protocol/voice/events.ts";
import type { OpenSession } from "../sessions/open-session.ts";
import { WATCHDOG } from "../tables/timers.ts";

/** Part of the commit of the event. Nothing where the model has told no tokens. */
export function billTranscription(
  { init, log, newId, outbox, tables }: OpenSession,
  change: SpeechChange,
  events: readonly LoggedEvent[],
): void {
  const { voice } = init.agent;
  if (change.name !== SPEECH_TRANSCRIBED || !change.usage || voice?.mode !== "cascade") return;
  const { transcription } = voice;
  if (transcription.provider === "scripted") return;
  const { usage } = change;
  const used = { model_name: transcription.name, usage, cost_usd: null };
  outbox.addUsage(newId("sum"), used, events.at(-1)?.seq ?? log.lastSeq);
  tables.timers.setBy(WATCHDOG, Date.now() + WATCHDOG_INTERVAL_MS);
}
