// The events of speech that change a message: what the user has said, what was heard of the agent, and where its audio is.
import type { AudioUsage, Msg, Usage } from "../messages/messages.ts";
import {
  KEPT_AUDIO,
  keptAudioOf,
  SPEECH,
  SPEECH_KEPT,
  SPEECH_SAID,
  SPEECH_TRANSCRIBED,
  speechOf,
  type KeptAudio,
  type SpeechChange,
} from "../voice/events.ts";
import { addUsage } from "./add-usage.ts";
import { changeBlock } from "./append-content.ts";

const NO_USAGE: Usage = {
  input_tokens: 0,
  output_tokens: 0,
  cache_input_tokens: 0,
  cache_creation_input_tokens: 0,
};

/** The message with the change; the same one for a change of another message, and for one that it has already. */
export function appendSpeech(message: Msg, change: SpeechChange): Msg {
  if (change.message_id !== message.id) return message;
  if (change.name === SPEECH_TRANSCRIBED) return transcribed(message, change.text, change.usage);
  if (change.name === SPEECH_SAID) return said(message, change.audio);
  if (change.name === SPEECH_KEPT) return kept(message, change);
  return changeBlock(message, "text", change.block_id, (block) =>
    block.text === change.text ? block : { ...block, text: change.text },
  );
}

/** The first text of a message is the one that waits for its words. */
function transcribed(message: Msg, text: string, used: Usage = NO_USAGE): Msg {
  const mark = speechOf(message);
  if (mark?.state !== "transcribing") return message;
  const index = message.content.findIndex(({ type }) => type === "text");
  const content = message.content.map((block, at) =>
    at === index && block.type === "text" ? { ...block, text } : block,
  );
  const said = message.metadata[SPEECH] as object;
  const metadata = { ...message.metadata, [SPEECH]: { ...said, state: "transcribed" } };
  const heard = { ...used, audio: { ...used.audio, input_ms: mark.ms } };
  return { ...message, content, metadata, usage: addUsage(message.usage, heard) };
}

/** The event has the whole of it, and so takes the place of what was counted before. */
function said(message: Msg, audio: AudioUsage): Msg {
  const usage = message.usage ?? NO_USAGE;
  const isKnown = JSON.stringify(usage.audio) === JSON.stringify(audio);
  return isKnown ? message : { ...message, usage: { ...usage, audio } };
}

function kept(message: Msg, { url, ms, block_id }: KeptAudio): Msg {
  const known = keptAudioOf(message);
  if (known.some((each) => each.url === url && each.block_id === block_id)) return message;
  const audio: KeptAudio = { url, ms, ...(block_id !== undefined && { block_id }) };
  return { ...message, metadata: { ...message.metadata, [KEPT_AUDIO]: [...known, audio] } };
}
