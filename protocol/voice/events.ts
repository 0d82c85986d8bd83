// Speech on the wire: the CUSTOM events that change a message after its place in the conversation is taken. No zod: the
// fold is in clients.
import type { AgentEvent, EventOf } from "../events.ts";
import { readAudioUsage, readUsage } from "../messages/read-usage.ts";
import type { AudioUsage, Msg, Usage } from "../messages/messages.ts";

/** A client has opened the session's voice connection; no effect on messages. */
export const VOICE_OPENED = "voice_opened";
/** A spoken message of the user has its text. */
export const SPEECH_TRANSCRIBED = "speech_transcribed";
/** A text block of the agent is what was heard of it. Its event has the reply's id, also when the reply has ended. */
export const SPEECH_TRUNCATED = "speech_truncated";

/** The amount that the agent has said aloud in a reply. Its event has the reply's id, also when the reply has ended. */
export const SPEECH_SAID = "speech_said";

/** The audio of a message, or of a text block of the agent, is a file of the session. */
export const SPEECH_KEPT = "speech_kept";

/** The member of a message's `metadata` that has its audio: a list of {@link KeptAudio}. */
export const KEPT_AUDIO = "kept_audio";

/** Audio that is a file. */
export interface KeptAudio {
  /** The file's address, as sources of data blocks have it. */
  readonly url: string;
  /** Milliseconds of it. */
  readonly ms: number;
  /** The text block of the agent that it says; left out for what a user has said. */
  readonly block_id?: string;
}

/** The member of a message's `metadata` that says that it was spoken. */
export const SPEECH = "speech";

/** The value of {@link SPEECH}: of a message of the user. */
export interface SpeechMark {
  /** `transcribing` until its text is there; one that is never transcribed stays so. */
  readonly state: "transcribing" | "transcribed";
  /** The number of its audio on the voice connection, as text. */
  readonly item: string;
  /** Milliseconds of its audio. */
  readonly ms: number;
  readonly spoken_by?: SpokenBy;
}

/** The one who has spoken, as `decided_by` of answers. The platform alone writes it: {@link withoutSpeech}. */
export type SpokenBy = { readonly kind: string; readonly id: string; readonly name?: string };

interface SpeechTranscribedValue {
  readonly message_id: string;
  readonly text: string;
  /** Of the model that wrote it down, where it tells. */
  readonly usage?: Usage;
}

interface SpeechSaidValue {
  /** The reply's message. */
  readonly message_id: string;
  /** All of the message so far, so that the event may be applied twice. */
  readonly audio: AudioUsage;
}

interface SpeechTruncatedValue {
  /** The reply's message. */
  readonly message_id: string;
  readonly block_id: string;
  /** The words that were heard: a beginning of the block's text, or nothing. */
  readonly text: string;
  /** Milliseconds of its audio that were played. */
  readonly played_ms: number;
}

interface SpeechKeptValue extends KeptAudio {
  readonly message_id: string;
}

export type SpeechChange =
  | ({ readonly name: typeof SPEECH_TRANSCRIBED } & SpeechTranscribedValue)
  | ({ readonly name: typeof SPEECH_TRUNCATED } & SpeechTruncatedValue)
  | ({ readonly name: typeof SPEECH_SAID } & SpeechSaidValue)
  | ({ readonly name: typeof SPEECH_KEPT } & SpeechKeptValue);

/** The speech that a message has in its metadata; null for one that was typed. */
export function speechOf({ metadata }: Pick<Msg, "metadata">): SpeechMark | null {
  const mark = metadata[SPEECH];
  if (typeof mark !== "object" || mark === null) return null;
  const { state, item, ms } = mark as Readonly<Record<string, unknown>>;
  if (state !== "transcribing" && state !== "transcribed") return null;
  return typeof item === "string" && typeof ms === "number" ? { state, item, ms } : null;
}

/** The one who has spoken a message; null where nobody is named. */
export function speakerOf(message: Pick<Msg, "metadata">): SpokenBy | null {
  const mark = message.metadata[SPEECH];
  if (speechOf(message) === null || typeof mark !== "object" || mark === null) return null;
  return "spoken_by" in mark ? (mark.spoken_by as SpokenBy) : null;
}

/** The metadata of a message that a client sends: its text is written, though it may have been spoken, and kept, once. */
export function withoutSpeech<Metadata extends Msg["metadata"]>(metadata: Metadata): Metadata {
  const isOurs = (name: string) =>
    (name === SPEECH && speechOf({ metadata }) !== null) ||
    (name === KEPT_AUDIO && keptAudioOf({ metadata }).length > 0);
  if (!Object.keys(metadata).some(isOurs)) return metadata;
  return Object.fromEntries(Object.entries(metadata).filter(([name]) => !isOurs(name))) as Metadata;
}

/** The audio that a message has in its metadata, without what has another shape. */
export function keptAudioOf({ metadata }: Pick<Msg, "metadata">): readonly KeptAudio[] {
  const list = metadata[KEPT_AUDIO];
  return Array.isArray(list) ? list.flatMap((each: unknown) => readKept(each) ?? []) : [];
}

function readKept(value: unknown): KeptAudio | null {
  if (typeof value !== "object" || value === null) return null;
  const { url, ms, block_id } = value as Readonly<Record<string, unknown>>;
  if (typeof url !== "string" || typeof ms !== "number") return null;
  return { url, ms, ...(typeof block_id === "string" && { block_id }) };
}

/** Whether the message was spoken and its text is not there. */
export function isUntranscribed(message: Pick<Msg, "metadata">): boolean {
  return speechOf(message)?.state === "transcribing";
}

/** The change of a message that an event tells; null for all other events, and for a value of another shape. */
export function speechChangeOf(event: AgentEvent): SpeechChange | null {
  return event.type === "CUSTOM" ? readChange(event) : null;
}

function readChange({ name, value }: EventOf<"CUSTOM">): SpeechChange | null {
  const { message_id, block_id, text, played_ms } = value;
  if (typeof message_id !== "string") return null;
  if (name === SPEECH_SAID) {
    const audio = readAudioUsage(value["audio"]);
    return audio && { name, message_id, audio };
  }
  if (name === SPEECH_KEPT) {
    const kept = readKept(value);
    return kept && { name, message_id, ...kept };
  }
  if (typeof text !== "string") return null;
  if (name === SPEECH_TRANSCRIBED) {
    const usage = readUsage(value["usage"]);
    return { name, message_id, text, ...(usage && { usage }) };
  }
  if (name !== SPEECH_TRUNCATED || typeof block_id !== "string") return null;
  return {
    name,
    message_id,
    block_id,
    text,
    played_ms: typeof played_ms === "number" ? played_ms : 0,
  };
}
