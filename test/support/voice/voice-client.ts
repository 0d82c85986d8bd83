// A client of voice connections for tests: it keeps all that it is sent, speaks by tones, and hears them.
import { inject } from "vitest";

import { pcmToText, textToPcm } from "../../../model/voice/tones.ts";
import type { AgentEvent } from "../../../protocol/events.ts";
import { decodeAudioFrame, encodeAudioFrame } from "../../../protocol/voice/audio-frame.ts";
import type {
  ClientFrameInput,
  ServerFrame,
  StartedFrame,
  StartFrameInput,
} from "../../../protocol/voice/frames.ts";
import { REALTIME_PROTOCOL } from "../../../protocol/voice/sockets.ts";

type Event = AgentEvent & { readonly seq: number };
type Wire =
  | ServerFrame
  | {
      readonly type: "binary";
      readonly item: number;
      readonly ms: number;
      readonly pcm: Uint8Array;
    };

export interface ConnectOptions {
  /** An API key or a client token; none when left out. */
  readonly key?: string;
  readonly ticket?: string;
  readonly start?: Partial<Omit<StartFrameInput, "type">> | null;
  readonly baseUrl?: string;
  /** Milliseconds of audio in each frame that is sent. */
  readonly frameMs?: number;
  /** Says at once that what comes is played; true when left out. */
  readonly plays?: boolean;
}

export interface Closed {
  readonly code: number;
  readonly reason: string;
}

const FRAME_MS = 100;
const BYTES_PER_SAMPLE = 2;

export class VoiceClient {
  readonly frames: Wire[] = [];
  closed: Closed | null = null;
  readonly #socket: WebSocket;
  readonly #options: ConnectOptions;
  readonly #rate: number;
  readonly #outRate: number;
  #waiting: (() => void)[] = [];
  #item = 0;
  #sentMs = 0;

  private constructor(socket: WebSocket, options: ConnectOptions) {
    this.#socket = socket;
    this.#options = options;
    this.#rate = options.start?.input?.rate ?? 16_000;
    this.#outRate = options.start?.output?.rate ?? 24_000;
    socket.binaryType = "arraybuffer";
    socket.addEventListener("message", ({ data }) => this.#receive(data as string | ArrayBuffer));
    socket.addEventListener("close", ({ code, reason }) => {
      this.closed = { code, reason };
      this.#wake();
    });
    socket.addEventListener("error", () => this.#wake());
  }

  /** Resolves once `started` has come, or once the socket is open where no `start` is to be sent. */
  static connect(sessionId: string, options: ConnectOptions = {}): Promise<VoiceClient> {
    return VoiceClient.connectTo(`/v1/sessions/${sessionId}/realtime`, options);
  }

  /** As {@link connect}, by the path of any voice connection. */
  static async connectTo(path: string, options: ConnectOptions): Promise<VoiceClient> {
    const { key, ticket, start, baseUrl = inject("baseUrl") } = options;
    const url = `${baseUrl.replace(/^http/, "ws")}${path}`;
    const protocols = [REALTIME_PROTOCOL, ...(ticket ? [`reprise.ticket.${ticket}`] : [])];
    const headers = key === undefined ? {} : { authorization: `Bearer ${key}` };
    // Node's WebSocket takes headers, which browsers cannot send.
    const socket = new WebSocket(url, { protocols, headers } as unknown as string[]);
    const client = new VoiceClient(socket, options);
    await new Promise<void>((resolve) => {
      socket.addEventListener("open", () => resolve());
      socket.addEventListener("close", () => resolve());
    });
    if (start === null || client.closed) return client;
    client.send({
      type: "start",
      input: { rate: client.#rate },
      output: { rate: client.#outRate },
      ...start,
    } as unknown as ClientFrameInput);
    await client.until(() => client.started !== undefined || client.closed !== null);
    return client;
  }

  get started(): StartedFrame | undefined {
    return this.frames.find((frame) => frame.type === "started");
  }

  get events(): readonly Event[] {
    return this.frames.flatMap((frame) => (frame.type === "event" ? [frame.event as Event] : []));
  }

  get errors() {
    return this.frames.filter((frame) => frame.type === "error");
  }

  customs(name: string): readonly Record<string, unknown>[] {
    return this.events.flatMap((event) =>
      event.type === "CUSTOM" && event.name === name ? [event.value] : [],
    );
  }

  send(frame: ClientFrameInput): void {
    this.#socket.send(JSON.stringify(frame));
  }

  sendText(text: string): void {
    this.#socket.send(text);
  }

  sendBytes(bytes: Uint8Array<ArrayBuffer>): void {
    this.#socket.send(bytes);
  }

  /** The user says this; the turn is not ended by it. */
  speak(text: string): void {
    this.sendPcm(textToPcm(text, this.#rate));
  }

  silence(ms: number): void {
    this.sendPcm(new Uint8Array((this.#rate / 1_000) * ms * BYTES_PER_SAMPLE));
  }

  sendPcm(pcm: Uint8Array): void {
    const { frameMs = FRAME_MS } = this.#options;
    const size = (this.#rate / 1_000) * frameMs * BYTES_PER_SAMPLE;
    for (let at = 0; at < pcm.byteLength; at += size) {
      const part = pcm.subarray(at, at + size);
      if (this.#options.start?.audio === "base64") {
        this.send({ type: "audio", audio: Buffer.from(part).toString("base64") });
      } else {
        this.sendBytes(encodeAudioFrame({ item: this.#item, ms: this.#sentMs, pcm: part }));
      }
      this.#sentMs += part.byteLength / BYTES_PER_SAMPLE / (this.#rate / 1_000);
    }
  }

  /** The words that the agent has said aloud, an item's audio after the other. */
  heard(): readonly { readonly item: number; readonly text: string | null }[] {
    const items = new Map<number, Uint8Array[]>();
    for (const frame of this.frames) {
      const pcm =
        frame.type === "binary"
          ? frame.pcm
          : frame.type === "audio"
            ? new Uint8Array(Buffer.from(frame.audio, "base64"))
            : null;
      if (!pcm || !("item" in frame)) continue;
      items.set(frame.item, [...(items.get(frame.item) ?? []), pcm]);
    }
    return [...items].map(([item, parts]) => ({
      item,
      text: pcmToText(new Uint8Array(Buffer.concat(parts)), this.#outRate),
    }));
  }

  /** Milliseconds of an item's audio that have come. */
  receivedMs(item: number): number {
    const bytes = this.frames.reduce(
      (sum, frame) =>
        frame.type === "binary" && frame.item === item ? sum + frame.pcm.byteLength : sum,
      0,
    );
    return bytes / BYTES_PER_SAMPLE / (this.#outRate / 1_000);
  }

  played(item: number, ms: number): void {
    this.send({ type: "played", item, ms: Math.round(ms) });
  }

  /** Resolves when the condition holds, or when the socket is closed. */
  async until(condition: () => boolean): Promise<void> {
    while (!condition() && !this.closed) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  /** Resolves with the event for which the predicate is true; fails when the socket is closed before. */
  async event(isIt: (event: Event) => boolean): Promise<Event> {
    await this.until(() => this.events.some(isIt));
    const found = this.events.find(isIt);
    if (found) return found;
    throw new Error(`closed before the event: ${JSON.stringify(this.closed)}`);
  }

  async untilClosed(): Promise<Closed> {
    await this.until(() => false);
    return this.closed ?? { code: 0, reason: "" };
  }

  async close(): Promise<void> {
    this.#socket.close(1000);
    await this.until(() => false);
  }

  #receive(data: string | ArrayBuffer): void {
    const frame = typeof data === "string" ? (JSON.parse(data) as ServerFrame) : readBinary(data);
    this.frames.push(frame);
    const { plays = true } = this.#options;
    // As fast as it comes: what has been sent of an item is played when its end is told.
    if (plays && frame.type === "audio_end") this.played(frame.item, frame.ms);
    if (plays && frame.type === "audio_clear") this.played(frame.item, 0);
    this.#wake();
  }

  #wake(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }
}

function readBinary(data: ArrayBuffer): Wire {
  const frame = decodeAudioFrame(new Uint8Array(data));
  if (typeof frame === "string") throw new Error(frame);
  return { type: "binary", ...frame };
}
