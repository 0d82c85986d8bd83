// The frames that Gemini Live is sent, with what they mean for its turn: activity of the user interrupts it, the end of the
// activity or the results of its calls begin it anew.
import { encodeBase64 } from "../../../protocol/base64.ts";
import { SAMPLE_BYTES } from "../../../protocol/voice/limits.ts";
import { TRANSCRIPTION_RATE } from "../rates.ts";
import type { ProviderSocket } from "../realtime/provider-socket.ts";
import type { ServerContent } from "./gemini-frames.ts";
import { FRAME_AUDIO_MS, INTERRUPT_MS } from "./limits.ts";

const AUDIO_TYPE = `audio/pcm;rate=${TRANSCRIPTION_RATE}`;
const FRAME_BYTES = (FRAME_AUDIO_MS * TRANSCRIPTION_RATE * SAMPLE_BYTES) / 1_000;

export interface FunctionResponse {
  readonly id: string;
  readonly name: string;
  readonly response: Readonly<Record<string, string>>;
}

export class GeminiLine {
  readonly #socket: ProviderSocket;
  /** The activity that goes on at the server, and whether anything was sent in it. */
  #activity: "none" | "empty" | "filled" = "none";
  /** The server's turn: it generates, or waits for results, until it says that the turn is complete. */
  #turn: "none" | "generating" | "calling" = "none";
  /** The end of an interrupted turn, which comes yet: all before it is of that turn, or of a calling one the end alone. */
  #interrupted: "none" | "generating" | "calling" = "none";
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(socket: ProviderSocket) {
    this.#socket = socket;
  }

  /** Whether something of the user's was sent that nobody has asked about. */
  get isFilled(): boolean {
    return this.#activity === "filled";
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  /** An activity interrupts the server. */
  beginActivity(): void {
    if (this.#activity !== "none") return;
    this.#activity = "empty";
    this.#input({ activityStart: {} });
    if (this.#turn === "none") return;
    this.#interrupted = this.#turn;
    this.#turn = "none";
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => (this.#interrupted = "none"), INTERRUPT_MS);
  }

  sendAudio(pcm: Uint8Array): void {
    for (let at = 0; at < pcm.byteLength; at += FRAME_BYTES) {
      const data = encodeBase64(pcm.subarray(at, at + FRAME_BYTES));
      this.#fill({ audio: { mimeType: AUDIO_TYPE, data } });
    }
  }

  sendPicture(picture: { readonly mimeType: string; readonly data: string }): void {
    this.#fill({ video: picture });
  }

  sendText(text: string): void {
    this.#fill({ text });
  }

  /** The server answers. @param words Of an activity in which nothing was said. */
  endActivity(words: string): void {
    this.beginActivity();
    if (this.#activity === "empty") this.sendText(words);
    this.#activity = "none";
    this.#input({ activityEnd: {} });
    this.#turn = "generating";
    this.#socket.expect("response");
  }

  /** The server goes on with the results. */
  sendResults(functionResponses: readonly FunctionResponse[]): void {
    this.#socket.send({ toolResponse: { functionResponses } });
    this.#turn = "generating";
    this.#socket.expect("response");
  }

  /** The server has called functions, and waits. */
  noteCalls(): void {
    if (this.#turn === "generating") this.#turn = "calling";
  }

  /**
   * Whether the content is of the turn that was asked for last; `ended` for the end of an interrupted one, if nothing was
   * asked since.
   */
  place(content: ServerContent): "own" | "other" | "ended" {
    const { audio, said, isComplete } = content;
    if (this.#interrupted === "none") {
      if (isComplete) this.#turn = "none";
      return "own";
    }
    const isSaying = audio.length > 0 || (said !== null && said.text !== "");
    const isNext = this.#interrupted === "calling" && isSaying;
    if (isNext || isComplete) this.#interrupted = "none";
    if (isNext) return "own";
    return isComplete && this.#turn === "none" ? "ended" : "other";
  }

  /** @returns Whether calls are of the turn that was asked for last. */
  admitsCalls(): boolean {
    return this.#interrupted !== "generating" && this.#turn !== "none";
  }

  #fill(input: object): void {
    this.beginActivity();
    this.#activity = "filled";
    this.#input(input);
  }

  #input(realtimeInput: object): void {
    this.#socket.send({ realtimeInput });
  }
}
