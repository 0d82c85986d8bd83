// The first frame of a voice connection: what the client hears and sends, and from which event on it reads.
import { accept, refuse, type Result } from "../../protocol/errors.ts";
import { isAudioRate } from "../../protocol/voice/audio-frame.ts";
import type { VoiceSettings } from "../../protocol/voice/contract.ts";
import type { StartedFrame, StartFrame } from "../../protocol/voice/frames.ts";
import {
  AUDIO_RATES,
  MAX_AUDIO_AHEAD_MS,
  MAX_AUDIO_FRAME_BYTES,
  MAX_TURN_AUDIO_MS,
  MAX_VOICE_TEXT_FRAME_BYTES,
  PLAYED_EVERY_MS,
} from "../../protocol/voice/limits.ts";
import type { OpenSession } from "../sessions/open-session.ts";
import { readStartFrame } from "./read-frame.ts";
import type { StartedVoice, VoiceAttachment } from "./voice-attachment.ts";

interface Starting {
  readonly voice: Pick<VoiceSettings, "turns" | "max_seconds" | "idle_seconds">;
  readonly attachment: VoiceAttachment;
  readonly message: string | ArrayBuffer;
}

interface Begun {
  readonly voice: StartedVoice;
  readonly frame: StartedFrame;
}

/** The refusal closes the socket. */
export function startVoice(
  session: Pick<OpenSession, "log" | "subscribers">,
  { voice, attachment, message }: Starting,
): Result<Begun> {
  if (typeof message !== "string") return refuse("validation_failed", "the first frame is `start`");
  if (message.length > MAX_AUDIO_FRAME_BYTES)
    return refuse("body_too_large", "`start` is too long");
  const read = readStartFrame(message);
  if (!read.ok) return read;
  const { input, output, after, audio, turns } = read.value;
  const { log, subscribers } = session;
  for (const { rate } of [input, output]) {
    if (!isAudioRate(rate)) return refuseRate(rate);
  }
  if (after !== undefined && after > log.highWaterMark) {
    return refuse("cursor_ahead", `the log ends at ${log.highWaterMark}`);
  }
  const { credential } = attachment;
  const tokenId = credential?.kind === "client_token" ? credential.id : null;
  const tooMany = subscribers.refuseMore(tokenId, 0);
  if (tooMany && !tooMany.ok) return tooMany;
  const started: StartedVoice = {
    input_rate: input.rate,
    output_rate: output.rate,
    turns: turnsOf(voice, turns),
    audio,
    since_ms: Date.now(),
    cursor: after ?? log.visibleSeq,
    next_item: 1,
    spoken: [],
  };
  return accept({ voice: started, frame: startedFrame(started, voice) });
}

function startedFrame(started: StartedVoice, voice: Starting["voice"]): StartedFrame {
  return {
    type: "started",
    cursor: started.cursor,
    input: { rate: started.input_rate },
    output: { rate: started.output_rate },
    turns: started.turns,
    audio: started.audio,
    limits: {
      text_bytes: MAX_VOICE_TEXT_FRAME_BYTES,
      audio_bytes: MAX_AUDIO_FRAME_BYTES,
      audio_ahead_ms: MAX_AUDIO_AHEAD_MS,
      turn_ms: MAX_TURN_AUDIO_MS,
      played_every_ms: PLAYED_EVERY_MS,
      seconds: voice.max_seconds,
      idle_seconds: voice.idle_seconds,
    },
  };
}

/** A client may switch the detection off; where the agent has none, there is none. */
function turnsOf({ turns }: Starting["voice"], asked: StartFrame["turns"]): StartedVoice["turns"] {
  return turns.type === "manual" || asked === "manual" ? "manual" : "server";
}

export function refuseRate(rate: number): Result<never> {
  const rates = AUDIO_RATES.join(", ");
  return refuse(
    "audio_format_unsupported",
    `audio of ${rate} Hz is not taken; it may have ${rates}`,
  );
}
