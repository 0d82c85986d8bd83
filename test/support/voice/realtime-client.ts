// A client of AgentScope's realtime agents for tests, as the document writes one: JSON alone, and no first frame.
import { inject } from "vitest";

import { pcmToText, textToPcm } from "../../../model/voice/tones.ts";
import type { RealtimeServerEvent } from "../../../protocol/dialects/realtime/server-events.ts";

interface RealtimeOptions {
  readonly key?: string;
  readonly ticket?: string;
  readonly protocols?: readonly string[];
  /** The query of the address. */
  readonly query?: string;
}

type EventType = RealtimeServerEvent["type"];
type EventOf<Type extends EventType> = RealtimeServerEvent & { readonly type: Type };

const FRAME_MS = 100;
const BYTES_PER_SAMPLE = 2;

export class RealtimeClient {
  readonly events: RealtimeServerEvent[] = [];
  closed: { readonly code: number; readonly reason: string } | null = null;
  readonly #socket: WebSocket;
  readonly #sessionId: string;
  #waiting: (() => void)[] = [];

  private constructor(socket: WebSocket, sessionId: string) {
    this.#socket = socket;
    this.#sessionId = sessionId;
    socket.addEventListener("message", ({ data }) => {
      this.events.push(JSON.parse(String(data)) as RealtimeServerEvent);
      this.#wake();
    });
    socket.addEventListener("close", ({ code, reason }) => {
      this.closed = { code, reason };
      this.#wake();
    });
    socket.addEventListener("error", () => this.#wake());
  }

  /** Resolves when the socket is open, or closed. */
  static async connect(sessionId: string, options: RealtimeOptions = {}): Promise<RealtimeClient> {
    const { key, ticket, query = "format=agentscope-realtime" } = options;
    const base = inject("baseUrl").replace(/^http/, "ws");
    const protocols = [
      ...(options.protocols ?? []),
      ...(ticket === undefined ? [] : [`reprise.ticket.${ticket}`]),
    ];
    const headers = key === undefined ? {} : { authorization: `Bearer ${key}` };
    const url = `${base}/v1/sessions/${sessionId}/realtime?${query}`;
    // Node's WebSocket takes headers, which browsers cannot send.
    const socket = new WebSocket(url, { protocols, headers } as unknown as string[]);
    const client = new RealtimeClient(socket, sessionId);
    await new Promise<void>((resolve) => {
      socket.addEventListener("open", () => resolve());
      socket.addEventListener("close", () => resolve());
    });
    return client;
  }

  /** An event of this session. */
  send(type: string, members: object = {}): void {
    this.#socket.send(JSON.stringify({ type, session_id: this.#sessionId, ...members }));
  }

  sendText(text: string): void {
    this.#socket.send(text);
  }

  sendBytes(bytes: Uint8Array<ArrayBuffer>): void {
    this.#socket.send(bytes);
  }

  /** The user says this. @param format Has the rate by which it is said. */
  speak(text: string, format: object = { type: "audio/pcm", rate: 16_000 }): void {
    const { rate = 16_000, sample_rate = rate } = format as Record<string, number>;
    this.sendPcm(textToPcm(text, sample_rate), format, sample_rate);
  }

  silence(ms: number, rate = 16_000): void {
    const pcm = new Uint8Array((rate / 1_000) * ms * BYTES_PER_SAMPLE);
    this.sendPcm(pcm, { type: "audio/pcm", rate }, rate);
  }

  sendPcm(pcm: Uint8Array, format: object, rate: number): void {
    const size = (rate / 1_000) * FRAME_MS * BYTES_PER_SAMPLE;
    for (let at = 0; at < pcm.byteLength; at += size) {
      const audio = Buffer.from(pcm.subarray(at, at + size)).toString("base64");
      this.send("client_audio_append", { audio, format });
    }
  }

  of<Type extends EventType>(type: Type): readonly EventOf<Type>[] {
    return this.events.filter((event): event is EventOf<Type> => event.type === type);
  }

  /** The names of the events, those that follow each other as one. */
  names(): readonly string[] {
    const names = this.events.map(({ type }) => type);
    return names.filter((name, index) => name !== names[index - 1]);
  }

  /** The words that were said aloud, by the events of this name. */
  heard(type: "agent_response_audio_delta" | "response_audio_delta"): string | null {
    const parts = this.of(type).map(({ delta }) => Buffer.from(delta, "base64"));
    return pcmToText(new Uint8Array(Buffer.concat(parts)), 24_000);
  }

  transcript(): string {
    return this.of("agent_response_audio_transcript_delta")
      .map(({ delta }) => delta)
      .join("");
  }

  /** Resolves when so many events of the type have come, or the socket is closed. */
  async until(type: EventType, count = 1): Promise<void> {
    while (this.of(type).length < count && !this.closed) await this.#next();
  }

  async untilClosed(): Promise<{ readonly code: number; readonly reason: string }> {
    while (!this.closed) await this.#next();
    return this.closed;
  }

  async close(): Promise<void> {
    this.#socket.close(1000);
    await this.untilClosed();
  }

  #next(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #wake(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }
}
