// The client of a voice connection: its socket, with frames and audio in the form that its `start` has asked for.
import { Resampler } from "../../agent/voice/resample.ts";
import type { AudioRates } from "../../agent/voice/voice-model.ts";
import { encodeBase64 } from "../../protocol/base64.ts";
import type { ErrorCode } from "../../protocol/errors.ts";
import { encodeAudioFrame } from "../../protocol/voice/audio-frame.ts";
import type { RoomFrame, ServerFrame } from "../../protocol/voice/frames.ts";
import { MAX_VOICE_AUDIO_BYTES, SAMPLE_BYTES } from "../../protocol/voice/limits.ts";
import type { Actor } from "../api/session-api.ts";
import type { RoomLineFrame } from "../api/room-voice.ts";
import type { OpenSession } from "../sessions/open-session.ts";
import { closeSocket } from "../sockets/close-sockets.ts";
import { followLog } from "../sockets/follow-log.ts";
import { RealtimeLine } from "./realtime-line.ts";
import { TextCredit } from "./text-credit.ts";
import { noteStarted, type StartedVoice, type VoiceAttachment } from "./voice-attachment.ts";

/** Milliseconds of audio in one frame, at most. */
const FRAME_MS = 100;
const MS_PER_SECOND = 1_000;

interface SaidItem {
  readonly item: number;
  readonly resampler: Resampler;
  sentBytes: number;
}

export class VoiceClient {
  readonly socket: WebSocket;
  readonly started: StartedVoice;
  readonly actor: Actor;
  /** Whether it is the session's room. */
  readonly isRoom: boolean;
  /** Null for a client of our own frames. */
  readonly realtime: RealtimeLine | null;
  readonly #rates: AudioRates;
  /** By the rates of the client's audio, which one of another dialect may change with each piece. */
  readonly #heard = new Map<number, Resampler>();
  readonly #text = new TextCredit();
  #said: SaidItem | null = null;
  #audioBytes = 0;
  #isSpent = false;
  #noted: Partial<StartedVoice>;
  #stopEvents: (() => void) | null = null;

  constructor(
    socket: WebSocket,
    { actor, started, by_room, realtime }: VoiceAttachment & { readonly started: StartedVoice },
    model: AudioRates,
  ) {
    this.socket = socket;
    this.started = started;
    this.actor = actor;
    this.isRoom = by_room === true;
    this.#noted = started;
    this.#rates = model;
    this.realtime = realtime ? new RealtimeLine(socket, { realtime, turns: started.turns }) : null;
  }

  /** Sends the events behind those that it has, and what comes. @param ended The log has ended, or may not be read any more. */
  follow(
    session: Pick<OpenSession, "log" | "subscribers">,
    { credential }: Pick<VoiceAttachment, "credential">,
    ended: () => void,
  ): void {
    this.#stopEvents = followLog(session, {
      after: this.started.cursor,
      credential,
      send: (frame) => (this.realtime ?? this.socket).send(frame),
      sent: (id) => noteStarted(this.socket, { cursor: Number(id) }),
      spent: () => closeSocket(this.socket, { code: "unavailable", detail: SPENT }),
      failed: (error) => {
        console.warn("the events of a voice connection broke off", { error: String(error) });
        closeSocket(this.socket, { code: "unavailable", detail: BROKEN });
      },
      ended: (code) => {
        closeSocket(this.socket, { code: code ?? "not_found", detail: ENDED });
        ended();
      },
    });
  }

  /** Whether it was sent as much audio as one connection is, up to the end of an item, or to where it was cut off. */
  get isSpent(): boolean {
    return this.#isSpent;
  }

  /** Counts a text frame. @returns False when it is too much, for one that is to be read. */
  takesText(characters: number): boolean {
    return this.#text.spend(characters, Date.now());
  }

  stop(): void {
    this.#stopEvents?.();
    this.#stopEvents = null;
  }

  /** Keeps facts with the socket, for after a sleep. */
  note(change: Partial<Pick<StartedVoice, "next_item" | "spoken">>): void {
    const isNew = Object.entries(change).some(
      ([name, value]) => this.#noted[name as keyof StartedVoice] !== value,
    );
    if (!isNew) return;
    this.#noted = { ...this.#noted, ...change };
    noteStarted(this.socket, change);
  }

  send(frame: RoomFrame | RoomLineFrame): void {
    this.#send(JSON.stringify(frame));
  }

  fail(code: ErrorCode, detail: string, ref?: string): void {
    this.send({ type: "error", code, detail, ...(ref !== undefined && { ref }) });
  }

  /** The user's audio at the model's rate, and how long it is. @param rate Of a client that may change it. */
  hear(
    pcm: Uint8Array,
    rate = this.started.input_rate,
  ): { readonly pcm: Uint8Array; readonly ms: number } {
    const ms = pcm.byteLength / bytesPerMs(rate);
    const heard = this.#heard.get(rate) ?? new Resampler(rate, this.#rates.input);
    this.#heard.set(rate, heard);
    return { pcm: heard.push(pcm), ms };
  }

  /** @param pcm At the model's rate. @param ms From the item's start to its first sample. */
  sendAudio(item: number, ms: number, pcm: Uint8Array): void {
    const said = this.#said?.item === item ? this.#said : this.#begin(item, ms);
    this.#sendPieces(said, said.resampler.push(pcm));
  }

  /** All audio of the item has come: its last samples follow. */
  endAudio(item: number): void {
    const said = this.#said;
    if (said?.item !== item) return;
    this.#said = null;
    this.#sendPieces(said, said.resampler.end());
    this.#noteSpent();
  }

  /** Audio that has come of the item is not played: the rest of its last samples neither. */
  dropAudio(item: number): void {
    if (this.#said?.item === item) this.#said = null;
    // Somebody who reads nothing may interrupt each item.
    this.#noteSpent();
  }

  #noteSpent(): void {
    this.#isSpent = this.#audioBytes >= MAX_VOICE_AUDIO_BYTES;
  }

  #begin(item: number, ms: number): SaidItem {
    const { output_rate } = this.started;
    const resampler = new Resampler(this.#rates.output, output_rate);
    this.#said = { item, resampler, sentBytes: ms * bytesPerMs(output_rate) };
    return this.#said;
  }

  #sendPieces(said: SaidItem, audio: Uint8Array): void {
    const perMs = bytesPerMs(this.started.output_rate);
    for (let at = 0; at < audio.byteLength; at += FRAME_MS * perMs) {
      const pcm = audio.subarray(at, at + FRAME_MS * perMs);
      const ms = Math.floor(said.sentBytes / perMs);
      said.sentBytes += pcm.byteLength;
      const { item } = said;
      const frame =
        this.started.audio === "binary"
          ? encodeAudioFrame({ item, ms, pcm })
          : JSON.stringify({
              type: "audio",
              item,
              ms,
              audio: encodeBase64(pcm),
            } satisfies ServerFrame);
      this.#audioBytes += frame.length;
      this.#send(frame);
    }
  }

  /** A socket that is closing takes nothing more, and its close is told by itself. */
  #send(data: string | Uint8Array<ArrayBuffer>): void {
    try {
      if (this.realtime && typeof data === "string") this.realtime.send(data);
      else this.socket.send(data);
    } catch {
      // The frame's content is in the log, or is heard by nobody.
    }
  }
}

const SPENT = "it was sent as much as one connection is; go on with the cursor on a new one";
const ENDED = "there is no more to be read";
const BROKEN = "the events broke off; go on with the cursor";

function bytesPerMs(rate: number): number {
  return (rate / MS_PER_SECOND) * SAMPLE_BYTES;
}
