// Takes the events of a client of AgentScope's realtime agents: most become frames of ours, which are taken as others' are.
import {
  readAudioFormat,
  readImageFormat,
  type RealtimeClientEvent,
  type RealtimeConfig,
} from "../../protocol/dialects/realtime/client-events.ts";
import { accept, refuse, type Result } from "../../protocol/errors.ts";
import type { VoiceSettings } from "../../protocol/voice/contract.ts";
import { ClientFrameSchema, type ClientFrame } from "../../protocol/voice/frames.ts";
import { isAudioRate } from "../../protocol/voice/audio-frame.ts";
import type { OpenSession } from "../sessions/open-session.ts";
import { refuseRate } from "./start-voice.ts";
import { COMMIT_REF, type RealtimeLine } from "./realtime-line.ts";
import type { VoiceAttachment } from "./voice-attachment.ts";
import { voiceOf } from "./refuse-voice.ts";

export interface RealtimeTaking {
  readonly session: OpenSession;
  readonly line: RealtimeLine;
  readonly rights: VoiceAttachment["rights"];
}

/** A frame to be taken, with the rate of its audio; null where nothing is left to be done. */
type Taken = Result<{ readonly frame: ClientFrame; readonly rate?: number } | null>;

const NOTHING: Taken = accept(null);

/** Contract: never throws. The client's end of the session is for the caller, who has the socket. */
export function takeRealtimeEvent(taking: RealtimeTaking, event: RealtimeClientEvent): Taken {
  const { session, line } = taking;
  const { session_id } = event;
  if (session_id !== undefined && session_id !== session.init.session_id) return OTHER_SESSION;
  switch (event.type) {
    case "client_session_create":
      return createSession(taking, event.config);
    case "client_session_end":
      return NOTHING;
    case "client_response_create":
      // Words that were typed, or said to their end, are answered already.
      return line.isAnswering ? NOTHING : toFrame({ type: "commit", id: event.type });
    case "client_response_cancel":
      return toFrame({ type: "interrupt" });
    case "client_audio_commit":
      return toFrame({ type: "commit", id: COMMIT_REF });
    case "client_text_append":
      return toFrame({ type: "text", text: event.text });
    case "client_audio_append": {
      const format = readAudioFormat(event.format);
      if (!format.ok) return format;
      const { rate, audio_event } = format.value;
      if (!isAudioRate(rate)) return refuseRate(rate);
      line.hearsFormat(audio_event);
      return accept({ frame: { type: "audio", audio: event.audio }, rate });
    }
    case "client_image_append": {
      const media_type = readImageFormat(event.format ?? null);
      return readFrame({ type: "image", media_type, data: event.image });
    }
    case "client_tool_result": {
      const { id, name, output } = event;
      const reply_id = session.openReply?.id;
      if (reply_id === undefined) return NOT_PENDING;
      const execution_results = [{ id, ...(name !== "" && { name }), output }];
      return readFrame({ type: "external_result", reply_id, execution_results });
    }
    default:
      return event satisfies never;
  }
}

const OTHER_SESSION = refuse(
  "validation_failed",
  "its member session_id names another session than the address of this connection",
);
const NOT_PENDING = refuse("call_not_pending", "no call of this session waits for a result");

function toFrame(frame: ClientFrame): Taken {
  return accept({ frame });
}

/** A frame of parts that the event does not check. */
function readFrame(frame: object): Taken {
  const parsed = ClientFrameSchema.safeParse(frame);
  if (parsed.success) return accept({ frame: parsed.data });
  const [issue] = parsed.error.issues;
  const place = (issue?.path ?? []).map(String).join("/");
  return refuse("validation_failed", `its ${place} is not valid: ${issue?.message ?? ""}`);
}

/** The client's session, with what it asks of the agent. Nothing of a refused one counts. */
function createSession({ session, line, rights }: RealtimeTaking, config: RealtimeConfig): Taken {
  const { instructions = null, model_provider = null, audio_event } = config;
  for (const [name, value] of Object.entries({ instructions, model_provider })) {
    if (value !== null && rights.may_configure !== true) return refuseMember(name);
  }
  const voice = voiceOf(session.init);
  if (!voice.ok) return voice;
  const provider = providerOf(voice.value, session);
  if (model_provider !== null && model_provider !== provider) {
    const detail = `config.model_provider is ${model_provider}, and the agent speaks by ${provider}: leave it out, or give the agent a voice of that provider`;
    return refuse("validation_failed", detail);
  }
  line.keep({
    instructions: instructions === "" ? null : instructions,
    ...(audio_event && { audio_event, is_audio_chosen: true }),
  });
  line.tellSession();
  return NOTHING;
}

function refuseMember(name: string): Taken {
  const detail = `config.${name} counts from an API key alone: leave it out; the agent has its own`;
  return refuse("insufficient_scope", detail);
}

/** The provider that answers: in a cascade that of the agent's own model. */
function providerOf(voice: VoiceSettings, { init }: OpenSession): string {
  return voice.mode === "realtime" ? voice.model.provider : init.agent.model.provider;
}
