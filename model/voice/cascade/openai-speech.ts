// Speech by an OpenAI-compatible endpoint, `POST /audio/speech`: samples as bytes, or in events where an endpoint sends
// those. Nothing here can decode anything else, so other formats are refused by their names.
import type { FailureReport } from "../../../agent/failure-report.ts";
import { BodyTooBig, readBytes, readEvents } from "../../../outgoing/body.ts";
import { wholeJson } from "../../../outgoing/whole-letters.ts";
import { decodeBase64 } from "../../../protocol/base64.ts";
import type { SpeechModel } from "../../../protocol/voice/contract.ts";
import { SAMPLE_BYTES } from "../../../protocol/voice/limits.ts";
import { classifyRefusal, wordsOf } from "../../stream/model-failure.ts";
import { asText, parseStreamEvent } from "../../stream/stream-event.ts";
import { joinBytes } from "../join-bytes.ts";
import {
  FORMAT_BYTES,
  MAX_SENTENCE_AUDIO_MS,
  MAX_SPEECH_EVENT_CHARACTERS,
  SPEECH_BEGIN_MS,
  SPEECH_MS,
  SPEECH_STALL_MS,
} from "../limits.ts";
import { SPEECH_RATE } from "../rates.ts";
import { AudioPace } from "../audio-pace.ts";
import { askAudio, type AudioEndpoint } from "./audio-request.ts";
import { isOfType } from "./openai-transcription.ts";
import type { SpeechPort } from "./ports.ts";
import { declaredFormat, recogniseFormat } from "./recognise-format.ts";

type OpenAiSpeech = Extract<SpeechModel, { provider: "openai" }>;

const MAX_BYTES = (SPEECH_RATE * SAMPLE_BYTES * MAX_SENTENCE_AUDIO_MS) / 1_000;

export function createOpenAiSpeech(
  { name, parameters }: OpenAiSpeech,
  voice: string,
  endpoint: Omit<AudioEndpoint, "part">,
  pace: AudioPace = new AudioPace(),
): SpeechPort {
  return {
    rate: SPEECH_RATE,
    speak: (text, stop, onAudio) => {
      const response_format = "pcm";
      const body = wholeJson({ model: name, input: text, voice, response_format, ...parameters });
      return askAudio(
        { ...endpoint, part: "speech" },
        {
          path: "/audio/speech",
          body,
          beginMs: SPEECH_BEGIN_MS,
          stallMs: SPEECH_STALL_MS,
          wholeMs: SPEECH_MS,
          stop,
          read: (response, heard) => {
            const isStream = isOfType(response, "text/event-stream");
            const declared = isStream ? null : declaredFormat(response);
            const samples = new SampleStream(declared, (pcm) => {
              if (!stop.aborted) onAudio(pcm);
            });
            const take = async (piece: Uint8Array) => {
              const isOpen = samples.push(piece);
              const ms = (piece.byteLength / SAMPLE_BYTES / SPEECH_RATE) * 1_000;
              if (isOpen) await pace.keep(ms, stop, heard);
              return isOpen;
            };
            const reading = { samples, take, heard };
            return isStream
              ? readAudioEvents(response, reading)
              : readAudioBytes(response, reading);
          },
        },
      );
    },
  };
}

/** Samples of an answer that comes in pieces of any length, once it is sure that they are samples. */
class SampleStream {
  readonly #onAudio: (pcm: Uint8Array) => void;
  /** The start of the answer, until its format is known; then half a sample at most. */
  #held: Uint8Array = new Uint8Array();
  #isKnown = false;
  #bytes = 0;
  /** The name of a format that is not ours; null as far as it is. */
  #format: string | null;

  /** @param declared By the answer's head. */
  constructor(declared: string | null, onAudio: (pcm: Uint8Array) => void) {
    this.#format = declared;
    this.#onAudio = onAudio;
  }

  /** @returns Whether more may come. @throws {BodyTooBig} */
  push(piece: Uint8Array): boolean {
    this.#bytes += piece.byteLength;
    if (this.#bytes > MAX_BYTES) throw new BodyTooBig();
    this.#held = joinBytes([this.#held, piece]);
    return this.#isKnown || this.#held.byteLength >= FORMAT_BYTES ? this.#pass() : true;
  }

  /** The fault of the answer; null for none. Half a sample at its end is lost. */
  end(): FailureReport | null {
    this.#pass();
    if (this.#format === "text") {
      const words = new TextDecoder().decode(this.#held);
      return { kind: "malformed_answer", ...wordsOf(parseStreamEvent(words) ?? words) };
    }
    if (this.#format !== null) {
      const message = `it answered with ${this.#format} in place of PCM, which nothing here can decode`;
      return { kind: "malformed_answer", message };
    }
    if (this.#bytes >= SAMPLE_BYTES) return null;
    return { kind: "malformed_answer", message: "it answered without audio" };
  }

  #pass(): boolean {
    if (!this.#isKnown) this.#format = recogniseFormat(this.#held) ?? this.#format;
    this.#isKnown = true;
    if (this.#format !== null) return false;
    const whole = this.#held.byteLength - (this.#held.byteLength % SAMPLE_BYTES);
    if (whole > 0) this.#onAudio(this.#held.slice(0, whole));
    this.#held = this.#held.slice(whole);
    return true;
  }
}

interface Reading {
  readonly samples: SampleStream;
  /** Resolves when more may be read, with whether more may come. */
  readonly take: (piece: Uint8Array) => Promise<boolean>;
  readonly heard: () => void;
}

async function readAudioBytes(
  response: Response,
  { samples, take, heard }: Reading,
): Promise<FailureReport | null> {
  for await (const piece of readBytes(response, { onPiece: heard })) {
    if (!(await take(piece))) break;
  }
  return samples.end();
}

async function readAudioEvents(
  response: Response,
  { samples, take, heard }: Reading,
): Promise<FailureReport | null> {
  const options = { maxEventCharacters: MAX_SPEECH_EVENT_CHARACTERS, onPiece: heard };
  const reads = readEvents(response, { ...options, readsBareJson: true }, ({ data }) => data);
  for await (const events of reads) {
    for (const data of events) {
      const fields = parseStreamEvent(data);
      const type = asText(fields?.["type"]);
      if (type === "speech.audio.done") return samples.end();
      if (type === "speech.audio.delta") {
        const audio = decodeBase64(asText(fields?.["audio"]));
        if (!audio) return { kind: "malformed_answer" };
        if (!(await take(audio))) return samples.end();
      } else if (fields && (type === "error" || fields["error"] !== undefined)) {
        const said = wordsOf(fields);
        return { kind: classifyRefusal(500, fields, said).kind, ...said };
      }
    }
  }
  return { kind: "connection_lost" };
}
