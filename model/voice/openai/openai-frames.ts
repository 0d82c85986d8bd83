// Frames of the provider as events. Endpoints differ, so missing members and members of the wrong type count as absent, and
// frames with unknown names pass by.
import type { VoiceModelEvent } from "../../../agent/voice/voice-model.ts";
import { SampleReader } from "../../../agent/voice/sample-reader.ts";
import { decodeBase64 } from "../../../protocol/base64.ts";
import { MAX_CALL_NAME_CHARACTERS } from "../../../protocol/tools/limits.ts";
import { fieldsIn, type JsonFields } from "../../stream/json-fields.ts";
import { asFields, asText } from "../../stream/stream-event.ts";
import type { RealtimeNames } from "./realtime-names.ts";
import { usageOf } from "./openai-usage.ts";

type EventOf<Type extends VoiceModelEvent["type"]> = Extract<VoiceModelEvent, { type: Type }>;

/** An event with the provider's own ids, or what is more than an event. */
export type ReadEvent =
  | Exclude<VoiceModelEvent, { type: "error" | "response_done" | "session_ended" }>
  | (Omit<EventOf<"response_done">, "error"> & { readonly failure?: JsonFields })
  | { readonly type: "ready" }
  | { readonly type: "failed_transcription"; readonly item_id: string; readonly error: unknown }
  | { readonly type: "refused"; readonly event_id: string; readonly error: JsonFields };

/** Items, and turns, that are remembered: those of one response or of the last minutes. */
const MAX_REMEMBERED = 256;
/** Characters of an id of the provider: its own have some thirty. */
const MAX_ID_CHARACTERS = 200;

interface OpenCall {
  readonly call_id: string;
  readonly name: string;
  isDone: boolean;
}

export class FrameReader {
  readonly #names: RealtimeNames;
  /** Turns that were told to have ended. */
  readonly #ended = new Set<string>();
  /** By item. */
  readonly #calls = new Map<string, OpenCall>();
  readonly #transcribed = new Set<string>();
  readonly #samples = new Map<string, SampleReader>();

  constructor(names: RealtimeNames) {
    this.#names = names;
  }

  read(frame: JsonFields): readonly ReadEvent[] {
    const type = asText(frame["type"]);
    const item_id = asId(frame["item_id"]);
    const response_id = asId(frame["response_id"]);
    const ids = { response_id, item_id };
    const { audio, transcript, text, call } = this.#names;
    switch (type) {
      case "session.created": {
        const session_id = asId(asFields(frame["session"])?.["id"]);
        return [{ type: "session_created", session_id }];
      }
      case "session.updated":
        return [{ type: "ready" }];
      case "error": {
        const error = asFields(frame["error"]) ?? frame;
        const event_id = asId(error["event_id"]) || asId(frame["event_id"]);
        return [{ type: "refused", event_id, error }];
      }
      case "input_audio_buffer.speech_started": {
        const audio_start_ms = msIn(frame["audio_start_ms"]);
        return [{ type: "input_started", item_id, audio_start_ms }];
      }
      case "input_audio_buffer.speech_stopped":
        return this.#endTurn(item_id, msIn(frame["audio_end_ms"]));
      // With detection the turn has ended before; without, nobody knows where in the audio.
      case "input_audio_buffer.committed":
        return this.#endTurn(item_id, 0);
      case "conversation.item.input_audio_transcription.delta":
        return [{ type: "input_transcription_delta", item_id, delta: asText(frame["delta"]) }];
      case "conversation.item.input_audio_transcription.completed": {
        const spoken = asText(frame["transcript"]);
        const usage = usageOf(frame["usage"]);
        return [{ type: "input_transcription_done", item_id, transcript: spoken, usage }];
      }
      case "conversation.item.input_audio_transcription.failed":
        return [{ type: "failed_transcription", item_id, error: frame["error"] }];
      case "response.created":
        return this.#begin(responseIdOf(frame));
      case "response.output_item.added":
      case "response.output_item.done":
        return this.#noteItem(asFields(frame["item"]));
      case "response.done":
        return this.#end(responseIdOf(frame), asFields(frame["response"]) ?? {});
      case `${audio}.delta`:
        return this.#hear(ids, asText(frame["delta"]));
      case `${audio}.done`:
        return [{ type: "response_audio_done", ...ids }];
      case `${transcript}.delta`:
        remember(this.#transcribed, item_id);
        return [textDelta(ids, frame)];
      case `${text}.delta`:
        // Of an item that has both the transcript is the text.
        return this.#transcribed.has(item_id) ? [] : [textDelta(ids, frame)];
      case `${transcript}.done`:
        return [{ type: "response_audio_transcript_done", ...ids }];
      case `${call}.delta`:
        return this.#delta(ids, frame);
      case `${call}.done`:
        return this.#called(ids, frame);
      default:
        return [];
    }
  }

  #endTurn(item_id: string, audio_end_ms: number): readonly ReadEvent[] {
    if (this.#ended.has(item_id)) return [];
    remember(this.#ended, item_id);
    return [{ type: "input_done", item_id, audio_end_ms }];
  }

  #begin(response_id: string): readonly ReadEvent[] {
    this.#calls.clear();
    this.#samples.clear();
    return [{ type: "response_created", response_id }];
  }

  #noteItem(item: JsonFields | undefined): readonly ReadEvent[] {
    const id = asId(item?.["id"]);
    if (!item || item["type"] !== "function_call" || this.#calls.has(id)) return [];
    if (this.#calls.size >= MAX_REMEMBERED) return [];
    const name = nameIn(item);
    const call_id = asId(item["call_id"]) || id;
    if (id !== "") this.#calls.set(id, { call_id, name, isDone: false });
    return [];
  }

  #delta(ids: Ids, frame: JsonFields): readonly ReadEvent[] {
    const known = this.#calls.get(ids.item_id);
    // Of a call whose name is not known the whole input tells.
    if (!known || known.name === "" || known.isDone) return [];
    const { call_id, name } = known;
    return [
      { type: "response_tool_use_delta", ...ids, call_id, name, delta: asText(frame["delta"]) },
    ];
  }

  #called(ids: Ids, frame: JsonFields): readonly ReadEvent[] {
    const known = this.#calls.get(ids.item_id);
    if (known?.isDone) return [];
    const name = known?.name || nameIn(frame);
    const call_id = known?.call_id || asId(frame["call_id"]) || ids.item_id;
    if (name === "" || call_id === "") return [];
    if (this.#calls.size < MAX_REMEMBERED) {
      this.#calls.set(ids.item_id, { call_id, name, isDone: true });
    }
    const input = asText(frame["arguments"]);
    return [{ type: "response_tool_use_done", ...ids, call_id, name, input }];
  }

  /** Calls that no event told the end of are in the response itself. */
  #end(response_id: string, response: JsonFields): readonly ReadEvent[] {
    const status = statusOf(response["status"]);
    const calls = status === "completed" ? fieldsIn(response["output"]) : [];
    const missed = calls.flatMap((item) => {
      if (item["type"] !== "function_call") return [];
      return this.#called({ response_id, item_id: asId(item["id"]) }, item);
    });
    const details = asFields(response["status_details"]);
    const failure = asFields(details?.["error"]) ?? details;
    return [
      ...missed,
      {
        type: "response_done",
        response_id,
        status,
        usage: usageOf(response["usage"]),
        ...(status === "failed" && { failure: failure ?? {} }),
      },
    ];
  }

  #hear(ids: Ids, delta: string): readonly ReadEvent[] {
    const bytes = decodeBase64(delta);
    if (!bytes) return [];
    let reader = this.#samples.get(ids.item_id);
    // Pieces of whole samples are as they are.
    if (!reader && bytes.byteLength % 2 === 0) return [soundOf(ids, bytes)];
    if (!reader) {
      if (this.#samples.size >= MAX_REMEMBERED) return [];
      reader = new SampleReader();
      this.#samples.set(ids.item_id, reader);
    }
    const samples = reader.read(bytes);
    return [soundOf(ids, new Uint8Array(samples.buffer, 0, samples.byteLength))];
  }
}

interface Ids {
  readonly response_id: string;
  readonly item_id: string;
}

function soundOf(ids: Ids, audio: Uint8Array): ReadEvent {
  return { type: "response_audio_delta", ...ids, audio };
}

function textDelta(ids: Ids, frame: JsonFields): ReadEvent {
  return { type: "response_audio_transcript_delta", ...ids, delta: asText(frame["delta"]) };
}

function responseIdOf(frame: JsonFields): string {
  return asId(asFields(frame["response"])?.["id"]) || asId(frame["response_id"]);
}

/** Ids are remembered: a longer one is none. */
function asId(value: unknown): string {
  const id = asText(value);
  return id.length <= MAX_ID_CHARACTERS ? id : "";
}

/** As much of it as the log takes. */
function nameIn(call: JsonFields): string {
  return asText(call["name"]).slice(0, MAX_CALL_NAME_CHARACTERS);
}

/** A response that has ended is complete, unless it says otherwise. */
function statusOf(status: unknown): EventOf<"response_done">["status"] {
  return status === "cancelled" || status === "failed" || status === "incomplete"
    ? status
    : "completed";
}

function msIn(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) && value > 0 ? Math.floor(value) : 0;
}

function remember(set: Set<string>, id: string): void {
  set.add(id);
  const [oldest] = set;
  if (set.size > MAX_REMEMBERED && oldest !== undefined) set.delete(oldest);
}
