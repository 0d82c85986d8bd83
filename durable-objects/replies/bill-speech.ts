// The usage of speech: D1 has what a user has said, with the tokens of writing it down, as it has that of a summary, and what
// was said aloud in a reply beside the reply's own tokens, by the names of the models that hear and speak.
import type { Usage } from "../../protocol/messages/messages.ts";
import { WATCHDOG_INTERVAL_MS } from "../../protocol/replies/limits.ts";
import type { TranscriptionModel, VoiceSettings } from "../../protocol/voice/contract.ts";
import { SPEECH_SAID, SPEECH_TRANSCRIBED, type SpeechChange } from "../../protocol/voice/events.ts";
import type { SessionSettings } from "../settings/session-settings.ts";
import type { SessionTables } from "../tables/session-tables.ts";
import { WATCHDOG } from "../tables/timers.ts";
import type { Outbox } from "./outbox.ts";
import type { SummaryUsage } from "./outbox-entries.ts";

const NO_TOKENS: Usage = {
  input_tokens: 0,
  output_tokens: 0,
  cache_input_tokens: 0,
  cache_creation_input_tokens: 0,
};

export interface BilledSession {
  readonly settings: Pick<SessionSettings, "init">;
  readonly tables: Pick<SessionTables, "timers">;
  readonly newId: (prefix: "sum") => string;
  readonly outbox: Pick<Outbox, "addUsage">;
}

/** Part of the commit of the event, whose seq it is. @param ms Milliseconds that were heard, where that is told. */
export function billSpeech(
  { settings, newId, outbox, tables }: BilledSession,
  change: SpeechChange,
  { seq, ms }: { readonly seq: number; readonly ms: number },
): void {
  const { voice } = settings.init.agent;
  if (!voice) return;
  if (change.name === SPEECH_SAID) {
    // One entry of a reply, with all that it has said so far.
    const id = change.message_id.replace(/^[a-z]+_/, "aud_");
    outbox.addUsage(id, saidUsage(voice, change), seq);
  } else if (change.name === SPEECH_TRANSCRIBED) {
    outbox.addUsage(newId("sum"), heardUsage(voice, change, ms), seq);
  } else {
    return;
  }
  tables.timers.setBy(WATCHDOG, Date.now() + WATCHDOG_INTERVAL_MS);
}

/** Its tokens are the reply's own. */
function saidUsage(
  voice: VoiceSettings,
  { audio }: Extract<SpeechChange, { name: typeof SPEECH_SAID }>,
): SummaryUsage {
  const speaker = voice.mode === "cascade" ? voice.speech : voice.model;
  return { model_name: nameOf(speaker), usage: { ...NO_TOKENS, audio }, cost_usd: 0 };
}

/** Tokens of writing it down are a cascade's: those of a realtime model are in its replies. */
function heardUsage(
  voice: VoiceSettings,
  { usage }: Extract<SpeechChange, { name: typeof SPEECH_TRANSCRIBED }>,
  input_ms: number,
): SummaryUsage {
  if (voice.mode === "cascade") return writtenUsage(voice.transcription, usage, input_ms);
  return {
    model_name: nameOf(voice.model),
    usage: { ...NO_TOKENS, audio: { input_ms } },
    cost_usd: 0,
  };
}

/** A turn that a model of its own has written down. Tokens of the embedded one are made up. */
export function writtenUsage(
  hearer: TranscriptionModel,
  usage: Usage | null | undefined,
  input_ms: number,
): SummaryUsage {
  const tokens = hearer.provider === "scripted" ? null : usage;
  const audio = { ...tokens?.audio, input_ms };
  const cost_usd = tokens ? null : 0;
  return { model_name: nameOf(hearer), usage: { ...(tokens ?? NO_TOKENS), audio }, cost_usd };
}

function nameOf(model: { readonly provider: string; readonly name?: string }): string {
  return model.name ?? model.provider;
}
