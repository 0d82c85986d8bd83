import type { Msg } from "../../../sdk/index.ts";

/** Longest part of a text that stands in a list of events. */
const SHOWN_CHARACTERS = 120;

/** Content of a `CUSTOM` event about speech; null for other events. @param value Of the log, which may be of a newer platform. */
export function wordsOfSpeech(name: string, value: unknown): string | null {
  const { text, played_ms, ms, audio } = (value ?? {}) as Readonly<Record<string, unknown>>;
  const words = typeof text === "string" ? text : "";
  if (name === "speech_transcribed") return `The user said: ${shortened(words)}`;
  if (name === "voice_opened") return "A voice connection was opened";
  if (name === "speech_said") {
    const { output_ms } = (audio ?? {}) as Readonly<Record<string, unknown>>;
    return `Said aloud in this reply so far: ${secondsOf(output_ms) || "unknown"}`;
  }
  if (name === "speech_kept") return `Kept as a file: ${secondsOf(ms) || "audio"}`;
  if (name !== "speech_truncated") return null;
  if (words === "") return "The agent was interrupted before it was heard";
  const after = secondsOf(played_ms);
  return `The agent was interrupted${after && ` after ${after}`}; what was heard ends with: ${shortened(words, "end")}`;
}

/** Note on a spoken message of the user, beside its text; null for one that was typed, and for one that has its text. */
export function speechNoteOf({ metadata }: Pick<Msg, "metadata">): string | null {
  const speech = metadata["speech"] as { readonly state?: unknown } | null | undefined;
  return speech?.state === "transcribing" ? "Spoken; its text is not there yet" : null;
}

/** Whether the user has spoken this message. */
export function isSpoken({ metadata }: Pick<Msg, "metadata">): boolean {
  return typeof metadata["speech"] === "object" && metadata["speech"] !== null;
}

function secondsOf(ms: unknown): string {
  return typeof ms === "number" ? `${(ms / 1_000).toFixed(1)} s` : "";
}

function shortened(text: string, kept: "start" | "end" = "start"): string {
  if (text.length <= SHOWN_CHARACTERS) return text;
  return kept === "start"
    ? `${text.slice(0, SHOWN_CHARACTERS)}…`
    : `…${text.slice(-SHOWN_CHARACTERS)}`;
}
