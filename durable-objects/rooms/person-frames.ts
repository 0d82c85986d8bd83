// Takes the frames of a person whose voice connection to a room has started.
import { PostedConfirmationSchema, PostedExecutionSchema } from "../../protocol/events/contract.ts";
import { decodeBase64 } from "../../protocol/base64.ts";
import { refuse, type Result } from "../../protocol/errors.ts";
import type { RoomClientFrame } from "../../protocol/voice/frames.ts";
import { decodeAudioFrame } from "../../protocol/voice/audio-frame.ts";
import {
  MAX_AUDIO_FRAME_BYTES,
  MAX_VOICE_TEXT_FRAME_BYTES,
  SAMPLE_BYTES,
} from "../../protocol/voice/limits.ts";
import { utf8Bytes } from "../../protocol/utf8-bytes.ts";
import { hasMedia } from "../voice/answer-frames.ts";
import { readRoomFrame } from "../voice/read-frame.ts";
import { answerCall } from "./answer-call.ts";
import type { OpenRoom } from "./open-room.ts";
import type { Person } from "./person.ts";

/** The voice of the room, as the frames of one person need it. */
export interface FrameTaker {
  /** True while somebody is heard, or a discussion runs: typed words would end it. */
  readonly isInterruptible: boolean;
  hear(person: Person, audio: Uint8Array): void;
  commit(person: Person): boolean;
  clear(person: Person): void;
  type(person: Person, text: string, id: string | undefined): Promise<Result<unknown>>;
  interrupt(person: Person): void;
  played(person: Person, item: number, ms: number): void;
  stop(): Promise<void>;
  close(
    person: Person,
    refusal: Pick<ReturnType<typeof refuse>["refusal"], "code" | "detail">,
  ): void;
}

interface Taking {
  readonly room: OpenRoom;
  readonly taker: FrameTaker;
  readonly person: Person;
}

type AnswerFrame = Extract<RoomClientFrame, { type: "confirm" | "external_result" }>;

const NO_PICTURES =
  "a room that speaks takes no pictures here; send them with POST /v1/rooms/{room_id}/messages";
const NO_MEDIA = refuse(
  "validation_failed",
  "a result with media is posted to POST /v1/rooms/{room_id}/events, which stores files",
);
const NO_SPEECH = "there is no audio that could be a turn";
const FLOOD = { code: "rate_limited", detail: "too many frames came within a short time" } as const;

export function takePersonFrame(taking: Taking, message: string | ArrayBuffer): void {
  const { taker, person } = taking;
  if (typeof message !== "string") return takeBinary(taking, new Uint8Array(message));
  const isLarge = message.length > MAX_VOICE_TEXT_FRAME_BYTES / 3;
  if (isLarge && utf8Bytes(message) > MAX_VOICE_TEXT_FRAME_BYTES) {
    const detail = `a text frame has ${MAX_VOICE_TEXT_FRAME_BYTES} bytes at most`;
    return taker.close(person, { code: "body_too_large", detail });
  }
  if (!person.client.takesText(message.length)) {
    const detail = "too much text came within a short time";
    return taker.close(person, { code: "rate_limited", detail });
  }
  const read = readRoomFrame(message);
  const frame = read.ok ? read.value : null;
  if (frame?.type === "audio") return takeBase64(taking, frame);
  if (!person.credit.spendFrame(Date.now())) return taker.close(person, FLOOD);
  if (frame) return take(taking, frame);
  if (!read.ok) person.client.fail(read.refusal.code, read.refusal.detail, read.ref);
}

function takeBinary({ taker, person }: Taking, bytes: Uint8Array): void {
  if (bytes.byteLength > MAX_AUDIO_FRAME_BYTES) {
    const detail = `an audio frame has ${MAX_AUDIO_FRAME_BYTES} bytes at most`;
    return taker.close(person, { code: "body_too_large", detail });
  }
  const frame = decodeAudioFrame(bytes);
  if (typeof frame !== "string") return taker.hear(person, frame.pcm);
  if (!person.credit.spendFrame(Date.now())) return taker.close(person, FLOOD);
  person.client.fail("audio_format_unsupported", frame);
}

function takeBase64(
  { taker, person }: Taking,
  { audio, id }: Extract<RoomClientFrame, { type: "audio" }>,
): void {
  const pcm = decodeBase64(audio);
  if (pcm && pcm.byteLength % SAMPLE_BYTES === 0) return taker.hear(person, pcm);
  if (!person.credit.spendFrame(Date.now())) return taker.close(person, FLOOD);
  person.client.fail("audio_format_unsupported", "it is no base64 of whole samples", id);
}

function take(taking: Taking, frame: Exclude<RoomClientFrame, { type: "audio" }>): void {
  const { taker, person } = taking;
  const { client, rights } = person;
  switch (frame.type) {
    case "commit":
      if (!taker.commit(person)) client.fail("validation_failed", NO_SPEECH, frame.id);
      return;
    case "clear":
      return taker.clear(person);
    case "text":
      if (taker.isInterruptible && !rights.may_interrupt) return refuseInterrupt(taking, frame);
      return act(taking, frame, () => taker.type(person, frame.text, frame.id));
    case "interrupt":
      return rights.may_interrupt ? taker.interrupt(person) : refuseInterrupt(taking, frame);
    case "played":
      return taker.played(person, frame.item, frame.ms);
    case "image":
      return client.fail("validation_failed", NO_PICTURES, frame.id);
    case "confirm":
    case "external_result":
      return act(taking, frame, () => answer(taking, frame));
    case "stop":
      if (!rights.may_interrupt) return refuseInterrupt(taking, frame);
      return taking.room.inBackground(taker.stop());
    default:
      return frame satisfies never;
  }
}

const TOO_MANY_ACTS = "earlier frames are still being taken; send this one a moment later";
const NO_INTERRUPT = "the credential lacks the right to interrupt";

function refuseInterrupt({ person }: Taking, { id }: RoomClientFrame): void {
  person.client.fail("verb_missing", NO_INTERRUPT, id);
}

/** The session of the participant decides, as for `POST …/events`. */
async function answer(
  { room, person }: Taking,
  { type, id: _, ...answered }: AnswerFrame,
): Promise<Result<unknown>> {
  const { actor, rights } = person;
  if (type === "confirm") {
    if (!rights.may_confirm) return lacks("confirm");
    const event = { type: "USER_CONFIRM_RESULT", ...answered };
    return answerCall(room, PostedConfirmationSchema.parse(event), { actor });
  }
  if (!rights.may_give_results) return lacks("tool_result");
  const event = PostedExecutionSchema.parse({ type: "EXTERNAL_EXECUTION_RESULT", ...answered });
  return hasMedia(event) ? NO_MEDIA : answerCall(room, event, { actor });
}

function lacks(verb: "confirm" | "tool_result"): Result<never> {
  return refuse("verb_missing", `the credential lacks the right to ${verb}`, {
    extensions: { required_verb: verb },
  });
}

/** An act of the room, unless too many are under way. A refusal is told. */
function act(
  { room, person }: Taking,
  { id }: RoomClientFrame,
  perform: () => Promise<Result<unknown>>,
): void {
  if (!person.credit.beginAct()) return person.client.fail("rate_limited", TOO_MANY_ACTS, id);
  const acted = perform().then(
    (result) => {
      if (!result.ok) person.client.fail(result.refusal.code, result.refusal.detail, id);
    },
    (error: unknown) => {
      console.error("a frame of a room's voice connection failed", { error: String(error) });
      person.client.fail("internal", "it could not be done; try again", id);
    },
  );
  room.inBackground(acted.finally(() => person.credit.endAct()));
}
