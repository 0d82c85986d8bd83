// The user's turns on the way to Gemini, which has no ids of them: their audio, as it comes or once they are asked about, and
// their transcripts, whose pieces have no order with anything else.
import type { VoiceModelEvent } from "../../../agent/voice/voice-model.ts";
import type { Msg } from "../../../protocol/messages/messages.ts";
import type { TurnSettings } from "../../../protocol/voice/contract.ts";
import { speechOf } from "../../../protocol/voice/events.ts";
import { HeardTurns, type HeardAudio } from "../heard-turns.ts";
import { MAX_TRANSCRIPT_CHARACTERS } from "../limits.ts";
import { TRANSCRIPTION_RATE } from "../rates.ts";
import { MAX_KEPT_TURNS, TRANSCRIPT_QUIET_MS } from "./limits.ts";

export interface TurnsPort {
  tell(event: VoiceModelEvent): void;
  /** Whether audio may be sent now: nothing waits that comes before it. */
  mayListen(): boolean;
  sendAudio(pcm: Uint8Array): void;
  /** Audio that was sent is taken back, for which Gemini has no frame. */
  takenBack(): void;
  /** A turn has ended, or a transcript is whole. */
  settled(): void;
}

interface EndedTurn {
  readonly item_id: string;
  readonly ms: number;
  /** Null for one that was sent as it was spoken. */
  readonly pcm: Uint8Array | null;
}

export class SpokenTurns {
  readonly #port: TurnsPort;
  readonly #heard: HeardTurns;
  /** Without detection a turn has no end before its commit: it is sent whole, and can be taken back until then. */
  readonly #isDetected: boolean;
  #ended: EndedTurn[] = [];
  /** The turn that is spoken now. */
  #open: { readonly item_id: string; readonly isLive: boolean } | null = null;
  /** The turn that pieces of transcripts are of: the newest whose audio was sent. */
  #written: { readonly item_id: string; text: string; isEnded: boolean } | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(turns: TurnSettings | null, port: TurnsPort) {
    this.#port = port;
    this.#isDetected = turns !== null;
    this.#heard = new HeardTurns({
      turns,
      rate: TRANSCRIPTION_RATE,
      tell: (event) => this.#note(event),
      listen: (pcm) => {
        if (this.#open?.isLive) port.sendAudio(pcm);
      },
      hear: (audio) => this.#end(audio),
    });
  }

  /** Whether audio of a turn is being sent, that goes on. */
  get isSpeaking(): boolean {
    return this.#open?.isLive === true;
  }

  /** Whether the words of a turn that has ended still come. */
  get isWriting(): boolean {
    return this.#written?.isEnded === true && this.#written.text !== "";
  }

  append(pcm: Uint8Array): void {
    this.#heard.append(pcm);
  }

  commit(): void {
    this.#heard.commit();
  }

  clear(): void {
    const isTakenBack = this.isSpeaking;
    this.#open = null;
    this.#heard.clear();
    if (isTakenBack) this.#port.takenBack();
  }

  /** Words of a turn that has ended are those that have come. */
  close(): void {
    if (this.isWriting) this.#endWriting();
    clearTimeout(this.#timer);
    this.#open = null;
    this.#ended = [];
    this.#heard.clear();
  }

  /** Sends the turn that this message is, unless it was sent already; those before it were placed nowhere. */
  place(message: Msg): void {
    const ms = speechOf(message)?.ms;
    const at = Math.max(
      this.#ended.findIndex((turn) => turn.ms === ms),
      0,
    );
    const turn = this.#ended[at];
    this.#ended = this.#ended.slice(at + 1);
    if (!turn?.pcm) return;
    this.#write(turn.item_id, true);
    this.#port.sendAudio(turn.pcm);
  }

  /** A piece of the transcript. */
  take({ text, isFinished }: { readonly text: string; readonly isFinished: boolean }): void {
    const written = this.#written;
    if (!written) return;
    const { item_id } = written;
    const delta = text.slice(0, MAX_TRANSCRIPT_CHARACTERS - written.text.length);
    written.text += delta;
    if (delta !== "") this.#port.tell({ type: "input_transcription_delta", item_id, delta });
    // Before the turn's end there may be more of it.
    if (isFinished && written.isEnded) this.#endWriting();
    else this.#watch();
  }

  #note(event: VoiceModelEvent): void {
    if (event.type === "input_started") {
      const { item_id } = event;
      const isWaiting = this.#ended.some(({ pcm }) => pcm !== null);
      const isLive = this.#isDetected && !isWaiting && this.#port.mayListen();
      this.#open = { item_id, isLive };
      if (isLive) this.#write(item_id, false);
    }
    this.#port.tell(event);
  }

  #end({ item_id, ms, pcm }: HeardAudio): void {
    const isLive = this.isSpeaking;
    this.#open = null;
    this.#ended = [...this.#ended, { item_id, ms, pcm: isLive ? null : pcm }];
    this.#ended = this.#ended.slice(-MAX_KEPT_TURNS);
    if (isLive && this.#written) this.#written.isEnded = true;
    this.#watch();
    this.#port.settled();
  }

  #write(item_id: string, isEnded: boolean): void {
    this.#endWriting();
    this.#written = { item_id, text: "", isEnded };
  }

  #watch(): void {
    clearTimeout(this.#timer);
    if (!this.isWriting) return;
    this.#timer = setTimeout(() => this.#endWriting(), TRANSCRIPT_QUIET_MS);
  }

  /** A turn without words may get them yet, until there is another. */
  #endWriting(): void {
    clearTimeout(this.#timer);
    const written = this.#written;
    this.#written = null;
    if (!written || written.text === "") return;
    const { item_id, text } = written;
    this.#port.tell({
      type: "input_transcription_done",
      item_id,
      transcript: text.trim(),
      usage: null,
    });
    this.#port.settled();
  }
}
