// Speech of a message that waits for its place in the log: its words come before the log has the message. What they took, and
// who has said them, waits in its mark, and is told in the commit with which the message is there.
import type { EventDraft } from "../../protocol/events.ts";
import { appendSpeech } from "../../protocol/fold/append-speech.ts";
import type { Msg, Usage } from "../../protocol/messages/messages.ts";
import {
  SPEECH,
  SPEECH_TRANSCRIBED,
  speechOf,
  type SpeechChange,
  type SpokenBy,
} from "../../protocol/voice/events.ts";

type TranscribedSpeech = Extract<SpeechChange, { name: typeof SPEECH_TRANSCRIBED }>;

interface QueuedSpeech {
  /** The message as one whose words are still to be told; it has them, since hooks read it first. */
  readonly message: Msg;
  /** The message behind the event. */
  readonly told: Msg;
  readonly change: TranscribedSpeech;
  readonly ms: number;
  readonly draft: EventDraft;
}

/** Members of the mark of a message that waits with its words. */
interface WaitingMark {
  readonly spoken_by?: SpokenBy;
  readonly usage?: Usage;
  /** The event of its words is still to come. */
  readonly is_untold?: true;
}

/** @param metadata Of the event that would tell it. */
export function changeQueued(
  message: Msg,
  change: SpeechChange,
  metadata: Readonly<Record<string, unknown>>,
): Msg {
  const changed = appendSpeech(message, change);
  if (changed === message || change.name !== SPEECH_TRANSCRIBED) return changed;
  const { usage } = change;
  const said = changed.metadata[SPEECH] as object;
  const mark = { ...said, ...metadata, ...(usage && { usage }), is_untold: true };
  // The event counts it when the message is there.
  return { ...changed, usage: message.usage, metadata: { ...changed.metadata, [SPEECH]: mark } };
}

/** The part of a message's beginning that was spoken, and waited with its words; null for any other message. */
export function queuedSpeech(message: Msg): QueuedSpeech | null {
  const mark = speechOf(message);
  if (mark?.state !== "transcribed") return null;
  const { usage, is_untold, ...said } = message.metadata[SPEECH] as WaitingMark;
  if (!is_untold) return null;
  const { spoken_by } = said;
  const block = message.content.find(({ type }) => type === "text");
  const text = block?.type === "text" ? block.text : "";
  const value = { message_id: message.id, text, ...(usage && { usage }) };
  const change = { name: SPEECH_TRANSCRIBED, ...value } as const;
  const untold: Msg = {
    ...message,
    metadata: { ...message.metadata, [SPEECH]: { ...said, state: "transcribing" } },
  };
  return {
    message: untold,
    told: appendSpeech(untold, change),
    change,
    ms: mark.ms,
    draft: {
      type: "CUSTOM",
      name: SPEECH_TRANSCRIBED,
      value,
      metadata: spoken_by ? { spoken_by } : {},
    },
  };
}
