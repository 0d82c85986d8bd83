// The socket of a client that speaks the dialect of AgentScope's realtime agents: what other clients are sent as frames it is
// sent as events, and how far that is, is kept with the socket.
import { MAX_TRANSCRIPT_CHARACTERS } from "../../agent/voice/limits.ts";
import type { VoiceInput } from "../../agent/voice/engine/voice-input.ts";
import type { VoiceState } from "../../agent/voice/engine/voice-state.ts";
import {
  REALTIME_INPUT_RATE,
  REALTIME_OUTPUT_RATE,
} from "../../protocol/dialects/realtime/limits.ts";
import { Remembered } from "../../protocol/dialects/realtime/remembered.ts";
import {
  RealtimeTranslator,
  type HeardNotice,
} from "../../protocol/dialects/realtime/realtime-translator.ts";
import {
  lastEvents,
  type AudioEventType,
  type RealtimeConnection,
  type RealtimeServerEvent,
} from "../../protocol/dialects/realtime/server-events.ts";
import { isSameJson } from "../../agent/json/is-same-json.ts";
import type { ServerFrame, StartFrameInput } from "../../protocol/voice/frames.ts";
import { answerClose } from "../sockets/close-sockets.ts";
import { isOpen } from "../sockets/socket-attachment.ts";
import { heardNotices, isAnswering, saidCalls } from "./heard-notices.ts";
import { noteRealtime, type StartedVoice } from "./voice-attachment.ts";

const START: StartFrameInput = {
  type: "start",
  input: { rate: REALTIME_INPUT_RATE },
  output: { rate: REALTIME_OUTPUT_RATE },
  audio: "base64",
};
/** The first frame of every client of this dialect, which sends none. */
export const REALTIME_START = JSON.stringify(START);

/** The mark of a commit, in the error about it. */
export const COMMIT_REF = "client_audio_commit";

export class RealtimeLine {
  readonly #socket: WebSocket;
  readonly #turns: StartedVoice["turns"];
  readonly #translator: RealtimeTranslator;
  #noted: RealtimeConnection;
  #isAnswering = false;
  /** Characters of the user's words so far, by the id of what they have said. */
  readonly #written = new Remembered<string, number>();

  constructor(
    socket: WebSocket,
    { realtime, turns }: Pick<StartedVoice, "turns"> & { readonly realtime: RealtimeConnection },
  ) {
    this.#socket = socket;
    this.#turns = turns;
    this.#noted = realtime;
    this.#translator = new RealtimeTranslator(realtime);
  }

  /** Added to those of the agent for what is said over this connection; null for none. */
  get instructions(): string | null {
    return this.#noted.instructions;
  }

  /** Whether the agent answers, or is about to. */
  get isAnswering(): boolean {
    return this.#isAnswering;
  }

  /** Sends a frame that other clients are sent as it is. May throw, as the socket does. */
  send(frame: string): void {
    this.#forward(JSON.parse(frame) as ServerFrame);
  }

  /** A step of the engine, before its effects are performed. Contract: never throws. */
  watch(before: VoiceState, after: VoiceState, input: Omit<VoiceInput, "now">): void {
    this.#isAnswering = isAnswering(after);
    const heard = heardNotices(before, after, input as VoiceInput);
    this.#tell([
      ...heard.flatMap((notice) => (this.#mayTell(notice) ? this.#translator.heard(notice) : [])),
      ...this.#translator.advance(saidCalls(after)),
    ]);
  }

  /** A provider may write down what a turn has no room for. */
  #mayTell(notice: HeardNotice): boolean {
    if (notice.type !== "input_transcription_delta") return true;
    const { item_id, delta } = notice;
    const written = (this.#written.get(item_id) ?? 0) + delta.length;
    this.#written.set(item_id, written);
    return written <= MAX_TRANSCRIPT_CHARACTERS;
  }

  /** Facts that the client has set. */
  keep(change: Partial<Omit<RealtimeConnection, "open">>): void {
    this.#translator.keep(change);
    this.#note();
  }

  /** The form of the client's audio says which event it listens for, where it has not said so itself. */
  hearsFormat(audio_event: AudioEventType): void {
    const { is_audio_chosen, audio_event: before } = this.#noted;
    if (!is_audio_chosen && audio_event !== before) this.keep({ audio_event });
  }

  /** Sends events that are no frame of other clients. Contract: never throws. */
  #tell(events: readonly RealtimeServerEvent[]): void {
    if (events.length === 0) return;
    try {
      this.#write(events);
    } catch {
      // A socket that is closing takes nothing more, and its close is told by itself.
    }
  }

  /** The client's session is there, or has been set anew. */
  tellSession(): void {
    const { session_id, has_session } = this.#noted;
    const type = has_session ? "server_session_updated" : "server_session_created";
    this.keep({ has_session: true });
    this.#tell([{ type, session_id }]);
  }

  /** Ends the connection, as the client has asked. */
  end(): void {
    if (!isOpen(this.#socket)) return;
    this.#tell(lastEvents(this.#noted, null));
    answerClose(this.#socket);
  }

  #forward(frame: ServerFrame): void {
    // The page commits whenever its microphone is switched off, also where silence has ended the turn already.
    const isIdle = frame.type === "error" && frame.code === "validation_failed";
    if (isIdle && frame.ref === COMMIT_REF && this.#turns === "server") return;
    this.#write(this.#translator.frame(frame));
  }

  #write(events: readonly RealtimeServerEvent[]): void {
    for (const event of events) this.#socket.send(JSON.stringify(event));
    this.#note();
  }

  #note(): void {
    const { kept } = this.#translator;
    if (isSameJson(kept, this.#noted)) return;
    this.#noted = kept;
    noteRealtime(this.#socket, kept);
  }
}
