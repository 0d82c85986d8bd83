// Words of a person on a voice connection become the person's ordinary message, or the answer of a turn that is awaited.
import { spokenMentions } from "../../agent/rooms/spoken-mentions.ts";
import type { HeardAudio } from "../../model/voice/heard-turns.ts";
import { accept, refuse, type Result } from "../../protocol/errors.ts";
import { appendSpeech } from "../../protocol/fold/append-speech.ts";
import { UserMsg } from "../../protocol/messages/constructors.ts";
import type { Usage } from "../../protocol/messages/messages.ts";
import { SPEECH, SPEECH_TRANSCRIBED, type SpeechMark } from "../../protocol/voice/events.ts";
import type { PostRoomMessage } from "../api/room-api.ts";
import type { Actor } from "../api/session-api.ts";
import { writtenUsage } from "../replies/bill-speech.ts";
import type { SummaryUsage } from "../replies/outbox-entries.ts";
import type { OpenRoom } from "./open-room.ts";
import { postInput, postMessage } from "./post-message.ts";
import { writeDown } from "./write-down.ts";

interface Saying {
  readonly participant: string;
  readonly actor: Actor;
}

/** A person's message that is not in the room yet. */
interface SaidMessage extends Pick<PostRoomMessage, "id" | "metadata" | "usage"> {
  readonly text: string;
}

const NOT_WRITTEN = refuse("speech_not_transcribed", "what was said could not be written down");

interface EndedTurn {
  readonly participant: string;
  readonly audio: HeardAudio;
  /** Its number on its connection. */
  readonly item: number;
}

/** Resolves with the message that is to be said. */
export async function writtenTurn(
  room: OpenRoom,
  { participant, audio, item }: EndedTurn,
): Promise<Result<SaidMessage>> {
  const { env, init } = room;
  const { voice } = init;
  if (!voice) return NOT_WRITTEN;
  const writing = { env, tenantId: init.tenant_id, voice };
  const written = await room.withinQuotas(() => writeDown(writing, audio.pcm));
  if (!written.ok) return written;
  const heard = written.value;
  if (!heard.ok) return NOT_WRITTEN;
  const text = heard.text.trim();
  const ms = Math.round(audio.ms);
  // Noise that has no words is no speech, though it has taken tokens.
  const used = writtenUsage(voice.transcription, heard.usage, text === "" ? 0 : ms);
  billTurn(room, participant, used);
  if (text === "") return NOT_WRITTEN;
  return accept(spokenMessage(room, { text, usage: heard.usage, ms, item }));
}

/** In the room's tables first. */
function billTurn(room: OpenRoom, participant: string, used: SummaryUsage): void {
  const { speechUsage, newId, inBackground } = room;
  if (isNothing(used)) return;
  speechUsage.add({ id: newId("sum"), participant, used });
  room.arm();
  inBackground(speechUsage.tell());
}

function isNothing({ usage }: SummaryUsage): boolean {
  return usage.audio?.input_ms === 0 && usage.input_tokens + usage.output_tokens === 0;
}

function spokenMessage(
  { newId }: OpenRoom,
  {
    text,
    usage,
    ms,
    item,
  }: {
    readonly text: string;
    readonly usage: Usage | null;
    readonly ms: number;
    readonly item: number;
  },
): SaidMessage {
  const mark: SpeechMark = { state: "transcribing", item: String(item), ms };
  const id = newId("msg");
  const content = [{ type: "text", text: "" }] as const;
  const message = UserMsg({ name: "user", content, id, metadata: { [SPEECH]: { ...mark } } });
  const change = { message_id: id, text, ...(usage && { usage }) };
  const { metadata, ...said } = appendSpeech(message, { name: SPEECH_TRANSCRIBED, ...change });
  return { id, text, metadata: metadata as SaidMessage["metadata"], usage: said.usage };
}

/** @param on_busy Of a message; a turn that is awaited is answered. */
export async function say(
  room: OpenRoom,
  { participant, actor }: Saying,
  { message, on_busy }: { readonly message: SaidMessage; readonly on_busy: "queue" | "interrupt" },
): Promise<Result<unknown>> {
  const { id, text: content, metadata, usage } = message;
  const awaited = room.state.discussion?.turns.find(
    (turn) =>
      turn.participant === participant &&
      turn.kind === "person" &&
      turn.ended === null &&
      turn.stopping === null,
  );
  const member = room.state.members.find(({ name }) => name === participant);
  if (awaited && member?.kind === "person" && member.form === null) {
    const input = { participant, input_request_id: awaited.turn_id, content, metadata, usage };
    const answered = await postInput(room, input, { share: actor.share });
    // The turn was answered otherwise, or has ended, meanwhile: what was said is a message all the same.
    const isOver = answered.ok ? !answered.value.applied : answered.refusal.code === "conflict";
    if (!isOver) return answered;
  }
  const agents = room.state.members.filter(({ kind }) => kind === "agent");
  const mentions = spokenMentions(
    content,
    agents.map(({ name }) => name),
  );
  const posted = { id, participant, content, mentions: [...mentions], metadata, usage, on_busy };
  return postMessage(room, posted, { actor });
}
