// Transcription by an OpenAI-compatible endpoint, `POST /audio/transcriptions`. A plain answer is asked for, which all have;
// a stream of events is taken too.
import type { FailureReport } from "../../../agent/failure-report.ts";
import { wavFile } from "../../../agent/voice/wav-file.ts";
import { readBytes, readEvents } from "../../../outgoing/body.ts";
import type { Usage } from "../../../protocol/messages/messages.ts";
import type { TranscriptionModel } from "../../../protocol/voice/contract.ts";
import { classifyRefusal, wordsOf } from "../../stream/model-failure.ts";
import { asCount, asFields, asText, parseStreamEvent } from "../../stream/stream-event.ts";
import { MAX_TRANSCRIPT_CHARACTERS, MAX_TRANSCRIPTION_BYTES, TRANSCRIPTION_MS } from "../limits.ts";
import { TRANSCRIPTION_RATE } from "../rates.ts";
import { askAudio, type AudioEndpoint } from "./audio-request.ts";
import type { TranscriptionPort } from "./ports.ts";

type OpenAiTranscription = Extract<TranscriptionModel, { provider: "openai" }>;

/** An answer so far. */
interface Reading {
  text: string;
  usage: Usage | null;
  isDone: boolean;
  failure: FailureReport | null;
}

export function createOpenAiTranscription(
  { name, parameters }: OpenAiTranscription,
  endpoint: Omit<AudioEndpoint, "part">,
): TranscriptionPort {
  return {
    rate: TRANSCRIPTION_RATE,
    async transcribe(pcm, stop, onDelta) {
      const body = new FormData();
      body.set(
        "file",
        new File([wavFile([pcm], TRANSCRIPTION_RATE)], "turn.wav", { type: "audio/wav" }),
      );
      body.set("model", name);
      body.set("response_format", "json");
      for (const [member, value] of Object.entries(parameters)) body.set(member, value);
      const reading: Reading = { text: "", usage: null, isDone: false, failure: null };
      const failure = await askAudio(
        { ...endpoint, part: "transcription" },
        {
          path: "/audio/transcriptions",
          body,
          beginMs: TRANSCRIPTION_MS,
          stallMs: TRANSCRIPTION_MS,
          wholeMs: TRANSCRIPTION_MS,
          stop,
          read: async (response, heard) => {
            const isStream = isOfType(response, "text/event-stream");
            if (isStream) await readStream(response, reading, { heard, onDelta });
            else await readWhole(response, reading, heard);
            if (reading.failure) return reading.failure;
            if (reading.isDone) return null;
            return { kind: isStream ? "connection_lost" : "malformed_answer" };
          },
        },
      );
      if (failure) return { ok: false, failure };
      const text = reading.text.trim().slice(0, MAX_TRANSCRIPT_CHARACTERS).toWellFormed();
      return { ok: true, text, usage: reading.usage };
    },
  };
}

export function isOfType(response: Response, type: string): boolean {
  return (response.headers.get("content-type") ?? "").toLowerCase().startsWith(type);
}

async function readWhole(response: Response, reading: Reading, heard: () => void): Promise<void> {
  const decoder = new TextDecoder();
  let body = "";
  const options = { maxBytes: MAX_TRANSCRIPTION_BYTES, onPiece: heard };
  for await (const piece of readBytes(response, options)) {
    body += decoder.decode(piece, { stream: true });
  }
  const fields = parseStreamEvent(body);
  if (typeof fields?.["text"] === "string") {
    reading.text = fields["text"];
    reading.usage = readUsage(fields["usage"]);
    reading.isDone = true;
  } else {
    const said = fields ? wordsOf(fields) : { message: body.slice(0, MAX_TRANSCRIPT_CHARACTERS) };
    reading.failure = { kind: "malformed_answer", ...said };
  }
}

async function readStream(
  response: Response,
  reading: Reading,
  { heard, onDelta }: { readonly heard: () => void; readonly onDelta: (delta: string) => void },
): Promise<void> {
  const options = {
    maxBytes: MAX_TRANSCRIPTION_BYTES,
    maxEventCharacters: MAX_TRANSCRIPTION_BYTES,
    onPiece: heard,
    readsBareJson: true,
  };
  for await (const events of readEvents(response, options, ({ data }) => data)) {
    for (const data of events) {
      const fields = parseStreamEvent(data);
      const type = asText(fields?.["type"]);
      if (type === "transcript.text.delta") {
        const delta = asText(fields?.["delta"]);
        reading.text += delta;
        if (delta !== "") onDelta(delta);
      } else if (type === "transcript.text.done") {
        reading.text = asText(fields?.["text"]) || reading.text;
        reading.usage = readUsage(fields?.["usage"]);
        reading.isDone = true;
        return;
      } else if (fields && (type === "error" || fields["error"] !== undefined)) {
        const said = wordsOf(fields);
        const { kind } = classifyRefusal(500, fields, said);
        reading.failure = { kind, ...said };
        return;
      }
    }
  }
}

/** Tokens; of a model that counts seconds there are none. */
function readUsage(value: unknown): Usage | null {
  const usage = asFields(value);
  if (!usage || usage["input_tokens"] === undefined) return null;
  const { audio_tokens } = asFields(usage["input_token_details"]) ?? {};
  return {
    input_tokens: asCount(usage["input_tokens"]),
    output_tokens: asCount(usage["output_tokens"]),
    cache_input_tokens: 0,
    cache_creation_input_tokens: 0,
    ...(audio_tokens !== undefined && { audio: { input_tokens: asCount(audio_tokens) } }),
  };
}
