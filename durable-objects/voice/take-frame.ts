// Takes the frames of a client whose voice connection has started: speech goes to the engine, answers and pictures to the session.
import { accept, type Refusal, type Result } from "../../protocol/errors.ts";
import { decodeBase64 } from "../../protocol/base64.ts";
import { decodeAudioFrame } from "../../protocol/voice/audio-frame.ts";
import type { ClientFrame } from "../../protocol/voice/frames.ts";
import {
  MAX_AUDIO_FRAME_BYTES,
  MAX_VOICE_TEXT_FRAME_BYTES,
  SAMPLE_BYTES,
} from "../../protocol/voice/limits.ts";
import { utf8Bytes } from "../../protocol/utf8-bytes.ts";
import { CUT_IN } from "../api/room-voice.ts";
import type { OpenSession } from "../sessions/open-session.ts";
import { takeAnswerFrame } from "./answer-frames.ts";
import { readClientFrame, readRealtimeEvent } from "./read-frame.ts";
import type { RealtimeLine } from "./realtime-line.ts";
import { takeRealtimeEvent } from "./take-realtime-event.ts";
import type { VoiceAttachment } from "./voice-attachment.ts";
import type { VoiceClient } from "./voice-client.ts";
import type { VoiceDriver } from "./voice-driver.ts";

interface Taking {
  readonly session: OpenSession;
  readonly driver: VoiceDriver;
  readonly client: VoiceClient;
  readonly attachment: VoiceAttachment;
  readonly inBackground: (work: Promise<unknown>) => void;
}

export function takeFrame(taking: Taking, message: string | ArrayBuffer): void {
  const { driver, client } = taking;
  if (typeof message !== "string") return takeBinary(taking, new Uint8Array(message));
  // Units first, which cost nothing: a character has three bytes at most.
  const isLarge = message.length > MAX_VOICE_TEXT_FRAME_BYTES / 3;
  if (isLarge && utf8Bytes(message) > MAX_VOICE_TEXT_FRAME_BYTES) {
    const detail = `a text frame has ${MAX_VOICE_TEXT_FRAME_BYTES} bytes at most`;
    return driver.clients.disconnect("body_too_large", detail, client);
  }
  if (!client.takesText(message.length)) {
    return driver.clients.disconnect("rate_limited", TOO_MUCH_TEXT, client);
  }
  if (client.realtime) return takeEvent(taking, client.realtime, message);
  if (taking.attachment.by_room && message === CUT_IN) return driver.tell({ type: "cut_in" });
  const frame = readClientFrame(message);
  if (frame.ok) return take(taking, frame.value);
  if (!driver.clients.count(client)) return;
  client.fail(frame.refusal.code, frame.refusal.detail, frame.ref);
}

function takeBinary({ driver, client }: Taking, bytes: Uint8Array): void {
  if (bytes.byteLength > MAX_AUDIO_FRAME_BYTES) {
    const detail = `an audio frame has ${MAX_AUDIO_FRAME_BYTES} bytes at most`;
    return driver.clients.disconnect("body_too_large", detail, client);
  }
  const frame = client.realtime ? ONLY_JSON : decodeAudioFrame(bytes);
  if (typeof frame !== "string") return driver.clients.hear(client, client.hear(frame.pcm));
  if (!driver.clients.count(client)) return;
  client.fail("audio_format_unsupported", frame);
}

/** An event of a client of AgentScope's realtime agents. */
function takeEvent(taking: Taking, line: RealtimeLine, message: string): void {
  const { session, driver, client, attachment } = taking;
  const refused = ({ refusal }: { readonly refusal: Refusal }) => {
    if (driver.clients.count(client)) client.fail(refusal.code, refusal.detail);
  };
  const event = readRealtimeEvent(message);
  if (!event.ok) return refused(event);
  const taken = takeRealtimeEvent({ session, line, rights: attachment.rights }, event.value);
  if (!taken.ok) return refused(taken);
  if (taken.value) return take(taking, taken.value.frame, taken.value.rate);
  if (!driver.clients.count(client) || event.value.type !== "client_session_end") return;
  driver.left(client.socket);
  line.end();
}

/** @param rate Of audio, where the client may change it. */
function take(taking: Taking, frame: ClientFrame, rate?: number): void {
  const { driver, client } = taking;
  const ref = refOf(frame.id);
  switch (frame.type) {
    case "audio": {
      const pcm = decodeBase64(frame.audio);
      if (pcm && pcm.byteLength % SAMPLE_BYTES === 0) {
        return driver.clients.hear(client, client.hear(pcm, rate));
      }
      if (!driver.clients.count(client)) return;
      return client.fail("audio_format_unsupported", "it is no base64 of whole samples", frame.id);
    }
    case "commit":
    case "clear":
      return driver.clients.take(client, { type: frame.type, ...ref });
    case "text":
      return driver.clients.take(client, { type: "text", text: frame.text, ...ref });
    case "interrupt": {
      const reply = frame.reply_id === undefined ? {} : { reply_id: frame.reply_id };
      const bound = taking.attachment.rights.may_interrupt ? {} : ({ only_spoken: true } as const);
      return driver.clients.take(client, { type: "interrupt", ...reply, ...bound, ...ref });
    }
    case "played":
      return driver.clients.take(client, {
        type: "played",
        item: frame.item,
        ms: frame.ms,
        ...ref,
      });
    case "image":
      return act(taking, frame, () => driver.pictures.add(frame, client.realtime !== null));
    case "confirm":
    case "external_result": {
      const { session, attachment } = taking;
      return act(taking, frame, () => takeAnswerFrame(session, frame, attachment));
    }
    default:
      return frame satisfies never;
  }
}

/** An act of the session, unless the frame was one too many. A refusal is told. */
function act(
  { driver, client, inBackground }: Taking,
  { id }: ClientFrame,
  perform: () => Promise<Result<unknown>>,
): void {
  if (!driver.clients.count(client)) return;
  const acted = perform().catch((error: unknown) => {
    console.error("a frame of a voice connection failed", { error: String(error) });
    return accept(client.fail("internal", "it could not be done; try again", id));
  });
  const told = acted.then((result) => {
    if (!result.ok) client.fail(result.refusal.code, result.refusal.detail, id);
  });
  inBackground(told);
}

const ONLY_JSON = "audio of this dialect comes in base64, as `client_audio_append`";
const TOO_MUCH_TEXT = "too much text came within a short time";

function refOf(id: string | undefined): { readonly ref?: string } {
  return id === undefined ? {} : { ref: id };
}
