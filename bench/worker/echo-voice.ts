// A voice whose provider sends back what it hears: its one response has all of it as its audio, until it is interrupted. As an
// adapter of a real provider it has a socket through the egress guard; what it sends is bytes alone, and no JSON.
import type { Model, ModelChunk, StopSignal } from "../../agent/ports.ts";
import type {
  VoiceConnection,
  VoiceModel,
  VoiceModelEvent,
} from "../../agent/voice/voice-model.ts";
import { modelError } from "../../agent/state/model-error.ts";
import { EventLine } from "../../model/voice/event-line.ts";
import { ResponseChunks } from "../../model/voice/realtime/response-chunks.ts";
import { openSocket, type OpenedSocket } from "../../outgoing/open-socket.ts";
import type { OutgoingFetch } from "../../outgoing/outgoing.ts";

type Socket = Extract<OpenedSocket, { readonly ok: true }>["socket"];

/** Of the model, both ways: as OpenAI's realtime models have it. */
const RATE = 24_000;
const OPEN_MS = 10_000;
const MAX_MESSAGE_BYTES = 1_000_000;

export function createEchoVoice(url: string, outgoing: OutgoingFetch): VoiceModel {
  return {
    name: "echo",
    mode: "realtime",
    rates: { input: RATE, output: RATE },
    truncation: "none",
    async open(_, onEvent, stop) {
      const controller = new AbortController();
      stop.addEventListener("abort", () => controller.abort(), { once: true });
      const connection = new EchoConnection(onEvent);
      const opened = await openSocket({
        outgoing,
        url,
        openMs: OPEN_MS,
        maxMessageBytes: MAX_MESSAGE_BYTES,
        stop: controller.signal,
        onMessage: (data) => connection.take(data),
        onEnd: () => connection.end(),
      });
      if (!opened.ok) return { ok: false, error: modelError("connection") };
      connection.use(opened.socket);
      return { ok: true, connection };
    },
  };
}

interface EchoResponse {
  readonly response_id: string;
  readonly item_id: string;
}

class EchoConnection implements VoiceConnection {
  readonly #line: EventLine;
  #socket: Socket | null = null;
  #chunks: ResponseChunks | null = null;
  #response: EchoResponse | null = null;

  constructor(onEvent: (event: VoiceModelEvent) => void) {
    this.#line = new EventLine((event) => {
      onEvent(event);
      this.#chunks?.take(event);
    });
  }

  use(socket: Socket): void {
    this.#socket = socket;
  }

  take(data: string | ArrayBuffer): void {
    if (typeof data === "string" || !this.#response) return;
    const audio = new Uint8Array(data);
    this.#line.tell({ type: "response_audio_delta", ...this.#response, audio });
  }

  end(): void {
    this.#line.tell({ type: "session_ended", reason: "closed" });
  }

  appendAudio(pcm: Uint8Array): void {
    this.#socket?.send(pcm);
  }

  commit(): void {}

  clear(): void {}

  truncate(): void {}

  deleteItem(): void {}

  speaks(): readonly [Model] {
    return [{ name: "echo", stream: (_, stop) => this.#stream(stop) }];
  }

  cancel(): void {
    const response = this.#response;
    if (!response) return;
    this.#response = null;
    const { response_id } = response;
    this.#line.tell({ type: "response_done", response_id, status: "cancelled", usage: null });
  }

  close(): void {
    this.#line.close();
    this.#socket?.close();
    this.#chunks?.take({ type: "session_ended", reason: "closed" });
  }

  async *#stream(stop: StopSignal): AsyncGenerator<ModelChunk, void> {
    const chunks = new ResponseChunks();
    const response = { response_id: crypto.randomUUID(), item_id: crypto.randomUUID() };
    this.#chunks = chunks;
    this.#response = response;
    const end = (): void => {
      this.cancel();
      chunks.end();
    };
    stop.addEventListener("abort", end, { once: true });
    const { response_id } = response;
    this.#line.tell({ type: "response_created", response_id });
    this.#line.tell({ type: "response_audio_transcript_delta", ...response, delta: "Echo." });
    yield* chunks;
  }
}
