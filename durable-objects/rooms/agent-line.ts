// The room's connection to the session of one agent, whose voice client it is. While it is open, the object stays in memory.
import { decodeAudioFrame } from "../../protocol/voice/audio-frame.ts";
import type { ClientFrameInput, ServerFrame } from "../../protocol/voice/frames.ts";
import type { Refusal } from "../../protocol/errors.ts";
import { withinDeadline } from "../../runtime/within-deadline.ts";
import { CUT_IN, type RoomLineFrame } from "../api/room-voice.ts";
import { REFUSAL_HEADER } from "../api/session-api.ts";
import { TRANSCRIPTION_RATE } from "../../model/voice/rates.ts";
import { LINE_OPENING_MS } from "./limits.ts";

/** Of the audio between a room and its sessions, in hertz. */
export const ROOM_RATE = 24_000;

export type LineFrame = ServerFrame | RoomLineFrame;

interface LineOptions {
  /** The answer of the session's object to the upgrade. */
  readonly open: () => Promise<Response>;
  readonly frame: (frame: LineFrame) => void;
  readonly audio: (item: number, pcm: Uint8Array) => void;
  /** The connection could not be opened, or is lost. Not called behind `close`. */
  readonly lost: (reason: string) => void;
}

export class AgentLine {
  readonly #options: LineOptions;
  #socket: WebSocket | null = null;
  #isOpen = false;
  #isClosed = false;
  #setReady: (isReady: boolean) => void = () => undefined;
  /** Whether it can be used: resolves when the session has answered. Never rejects. */
  readonly ready: Promise<boolean>;

  constructor(options: LineOptions) {
    this.#options = options;
    const started = new Promise<boolean>((resolve) => (this.#setReady = resolve));
    this.ready = withinDeadline(
      this.#open().then(() => started),
      LINE_OPENING_MS,
    ).catch(() => {
      this.#lose("unavailable");
      return false;
    });
  }

  get isOpen(): boolean {
    return this.#isOpen && !this.#isClosed;
  }

  /** Milliseconds of an item that people have played. */
  played(item: number, ms: number): void {
    if (!this.isOpen) return;
    this.#write(JSON.stringify({ type: "played", item, ms } satisfies ClientFrameInput));
  }

  /** A person goes before what the agent says. */
  cutIn(): void {
    if (this.isOpen) this.#write(CUT_IN);
  }

  close(): void {
    this.#isClosed = true;
    this.#setReady(false);
    try {
      this.#socket?.close(1000, "");
    } catch {
      // The socket has gone already.
    }
  }

  async #open(): Promise<void> {
    const response = await this.#options.open();
    if (response.headers.has(REFUSAL_HEADER)) {
      const { code } = await response.json<Refusal>();
      return this.#lose(code);
    }
    const { webSocket: socket } = response;
    if (!socket) {
      await response.body?.cancel();
      return this.#lose("unavailable");
    }
    socket.binaryType = "arraybuffer";
    socket.accept();
    this.#socket = socket;
    socket.addEventListener("message", ({ data }) => this.#take(data as string | ArrayBuffer));
    socket.addEventListener("close", ({ reason }) => this.#lose(reason || "unavailable"));
    socket.addEventListener("error", () => this.#lose("unavailable"));
    if (this.#isClosed) return this.close();
    const start = { input: { rate: TRANSCRIPTION_RATE }, output: { rate: ROOM_RATE } };
    this.#write(JSON.stringify({ type: "start", ...start, turns: "manual" }));
  }

  #take(data: string | ArrayBuffer): void {
    if (this.#isClosed) return;
    if (typeof data !== "string") {
      const frame = decodeAudioFrame(new Uint8Array(data));
      if (typeof frame !== "string") this.#options.audio(frame.item, frame.pcm);
      return;
    }
    const frame = JSON.parse(data) as LineFrame;
    if (frame.type === "started") {
      this.#isOpen = true;
      this.#setReady(true);
      return;
    }
    this.#options.frame(frame);
  }

  #lose(reason: string): void {
    if (this.#isClosed) return;
    this.close();
    this.#options.lost(reason);
  }

  #write(text: string): void {
    try {
      this.#socket?.send(text);
    } catch {
      // Its close is told by itself.
    }
  }
}
