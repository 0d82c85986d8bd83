// A voice connection through the Worker's front door.
import type { ServerFrame, StartFrameInput } from "../../../protocol/voice/frames.ts";
import { decodeAudioFrame, encodeAudioFrame } from "../../../protocol/voice/audio-frame.ts";
import { REALTIME_PROTOCOL } from "../../../protocol/voice/sockets.ts";
import { pcmToText, textToPcm } from "../../../model/voice/tones.ts";
import { waitFor } from "../../support/wait-for.ts";
import { send, type Call } from "./api.ts";

const INPUT_RATE = 16_000;
const OUTPUT_RATE = 24_000;

export class VoiceSocket {
  readonly frames: ServerFrame[] = [];
  readonly closed: Promise<readonly [code: number, reason: string]>;
  readonly #audio: Uint8Array[] = [];
  readonly #socket: WebSocket;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    this.closed = new Promise((resolve) => {
      socket.addEventListener("close", ({ code, reason }) => resolve([code, reason]));
    });
    socket.addEventListener("message", ({ data }) => {
      if (typeof data === "string") this.frames.push(JSON.parse(data) as ServerFrame);
      else this.#audio.push(new Uint8Array(data as ArrayBuffer));
    });
    socket.accept();
  }

  /** @param path Of the session. */
  static async open(
    path: string,
    call: Call,
    start: Partial<StartFrameInput> = {},
    query = "",
  ): Promise<VoiceSocket> {
    const upgrade = { Upgrade: "websocket", "Sec-WebSocket-Protocol": REALTIME_PROTOCOL };
    const headers = { ...call.headers, ...upgrade };
    const { webSocket } = await send("GET", `${path}/realtime${query}`, { ...call, headers });
    if (!webSocket) throw new Error("the session opens no socket");
    webSocket.binaryType = "arraybuffer";
    const socket = new VoiceSocket(webSocket);
    const rates = { input: { rate: INPUT_RATE }, output: { rate: OUTPUT_RATE } };
    socket.send({ type: "start", ...rates, ...start });
    await socket.until(() => socket.frames.some(({ type }) => type === "started"));
    return socket;
  }

  get seqs(): readonly number[] {
    return this.frames.flatMap((frame) => (frame.type === "event" ? [frame.seq] : []));
  }

  /** The texts of all items that were heard. */
  get heard(): readonly (string | null)[] {
    const items = new Map<number, Uint8Array[]>();
    for (const bytes of this.#audio) {
      const frame = decodeAudioFrame(bytes);
      if (typeof frame === "string") throw new Error(frame);
      items.set(frame.item, [...(items.get(frame.item) ?? []), frame.pcm]);
    }
    return [...items.values()].map((parts) => {
      const pcm = new Uint8Array(parts.reduce((sum, part) => sum + part.byteLength, 0));
      let at = 0;
      for (const part of parts) {
        pcm.set(part, at);
        at += part.byteLength;
      }
      return pcmToText(pcm, OUTPUT_RATE);
    });
  }

  ends(): number {
    return this.frames.filter((frame) => frame.type === "event" && frame.event.type === "REPLY_END")
      .length;
  }

  send(frame: object): void {
    this.#socket.send(JSON.stringify(frame));
  }

  /** Says it in frames of a tenth of a second. */
  speak(text: string): void {
    this.#hear(textToPcm(text, INPUT_RATE));
  }

  silence(ms: number): void {
    this.#hear(new Uint8Array((ms * INPUT_RATE * 2) / 1_000));
  }

  #hear(pcm: Uint8Array): void {
    const size = (INPUT_RATE * 2) / 10;
    for (let at = 0; at < pcm.byteLength; at += size) {
      const part = pcm.subarray(at, at + size);
      this.#socket.send(encodeAudioFrame({ item: 0, ms: 0, pcm: part }));
    }
  }

  leave(): void {
    this.#socket.close(1000, "left");
  }

  until(isThere: () => boolean): Promise<void> {
    return waitFor(() => {
      if (!isThere()) throw new Error(`not in ${this.frames.length} frames`);
    });
  }
}
