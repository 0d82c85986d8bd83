// Translates what a voice connection is sent into the events of AgentScope's realtime agents: the log's events, audio and
// our own frames. Pure: no clock, no chance; what outlives its memory is in `kept`.
import type { LoggedEvent } from "../../events.ts";
import { speechChangeOf, speechOf } from "../../voice/events.ts";
import type { ServerFrame } from "../../voice/frames.ts";
import { isJsonObject } from "../../json-object.ts";
import type { Usage } from "../../messages/messages.ts";
import { readUsage } from "../../messages/read-usage.ts";
import { REALTIME_OUTPUT_RATE } from "./limits.ts";
import { OpenResponse } from "./open-response.ts";
import { Remembered } from "./remembered.ts";
import {
  agentError,
  agentOf,
  type RealtimeConnection,
  type RealtimeServerEvent,
} from "./server-events.ts";
import { ToolResults } from "./tool-results.ts";

/** Speech of the user as it is heard, before the log has it. */
export type HeardNotice =
  | { readonly type: "input_started"; readonly item_id: string; readonly audio_start_ms: number }
  | {
      readonly type: "input_done";
      readonly item_id: string;
      readonly audio_end_ms: number;
      /** The number that its message has; null for speech that became none. */
      readonly item: number | null;
    }
  | {
      readonly type: "input_transcription_delta";
      readonly item_id: string;
      readonly delta: string;
    };

/** The progress of what is said: which model call an item of audio belongs to, and which calls may still be heard. */
export interface SaidCalls {
  /** The seq of the call that says this item; null while the log has not told of it, undefined for one that is not said. */
  readonly callOf: (item: number) => number | null | undefined;
  readonly isBeingSaid: (seq: number) => boolean;
}

type AudioFrame = Extract<ServerFrame, { type: "audio" | "audio_end" | "audio_clear" }>;
type Events = readonly RealtimeServerEvent[];

export class RealtimeTranslator {
  #kept: RealtimeConnection;
  #open: readonly OpenResponse[] = [];
  readonly #results = new ToolResults();
  /** Frames of audio whose response has not been told yet. */
  #held: AudioFrame[] = [];
  /** The seq of the newest model call that was told. */
  #newest = 0;
  readonly #calls = new Remembered<number, number>();
  readonly #heard = new Remembered<number, string>();
  readonly #messages = new Remembered<string, string>();
  #said: SaidCalls = { callOf: () => undefined, isBeingSaid: () => false };

  constructor(kept: RealtimeConnection) {
    this.#kept = kept;
    if (!kept.open) return;
    this.#open = [new OpenResponse(kept, kept.open)];
    this.#newest = kept.open.seq;
  }

  /** Facts that have to outlive the memory. */
  get kept(): RealtimeConnection {
    const { reply_id, seq } = this.#open.at(-1) ?? {};
    const isOpen = reply_id !== undefined && seq !== undefined;
    return { ...this.#kept, open: isOpen ? { reply_id, seq } : null };
  }

  keep(change: Partial<Omit<RealtimeConnection, "open">>): void {
    this.#kept = { ...this.#kept, ...change };
  }

  /** A frame as other clients are sent it. */
  frame(frame: ServerFrame): Events {
    switch (frame.type) {
      case "started":
        return [{ type: "agent_ready", ...agentOf(this.#kept) }];
      case "error":
        return [agentError(this.#kept, frame)];
      case "audio":
      case "audio_end":
      case "audio_clear":
        this.#held.push(frame);
        return this.#settle();
      case "event":
        // The log's order: its first events of a call come before the call's audio.
        return [...this.#take({ ...frame.event, seq: frame.seq }), ...this.#settle()];
      default:
        return frame satisfies never;
    }
  }

  /** The engine has gone on. */
  advance(said: SaidCalls): Events {
    this.#said = said;
    return this.#settle();
  }

  heard(notice: HeardNotice): Events {
    const agent = agentOf(this.#kept);
    const { item_id } = notice;
    switch (notice.type) {
      case "input_started": {
        const { audio_start_ms } = notice;
        return [{ type: "agent_input_started", ...agent, item_id, audio_start_ms }];
      }
      case "input_transcription_delta": {
        const { delta } = notice;
        return [{ type: "agent_input_transcription_delta", ...agent, item_id, delta }];
      }
      case "input_done": {
        const { audio_end_ms, item } = notice;
        if (item !== null) this.#heard.set(item, item_id);
        return [{ type: "agent_input_done", ...agent, item_id, audio_end_ms }];
      }
      default:
        return notice satisfies never;
    }
  }

  #take(event: LoggedEvent): Events {
    if (event.type === "CUSTOM") return this.#takeCustom(event);
    const { reply_id } = event;
    switch (event.type) {
      case "MODEL_CALL_START":
        return this.#begin(event);
      case "MODEL_CALL_END":
        this.#writing(reply_id)?.write(event);
        return [];
      case "TEXT_BLOCK_DELTA":
        return this.#tell(reply_id, (response) => [response.textDelta(event)]);
      case "TEXT_BLOCK_END":
        return this.#tell(reply_id, (response) => [response.textEnd(event)]);
      case "TOOL_CALL_START":
        this.#writing(reply_id)?.callStart(event);
        return [];
      case "TOOL_CALL_DELTA":
        return this.#tell(reply_id, (response) => response.callDelta(event));
      case "TOOL_CALL_END":
        return this.#tell(reply_id, (response) => response.callEnd(event));
      case "TOOL_RESULT_START":
        this.#results.start(event);
        return [];
      case "EXTERNAL_EXECUTION_RESULT":
        this.#results.give(event);
        return [];
      case "TOOL_RESULT_TEXT_DELTA":
        this.#results.text(event);
        return [];
      case "TOOL_RESULT_DATA_DELTA":
        this.#results.data(event);
        return [];
      case "TOOL_RESULT_END": {
        const tool_result = this.#results.end(event);
        if (!tool_result) return [];
        return [{ type: "agent_response_tool_result", ...agentOf(this.#kept), tool_result }];
      }
      case "REPLY_END": {
        for (const response of this.#open) {
          if (response.reply_id === reply_id && !response.isWritten) response.write(null);
        }
        return event.error ? [this.#failed(event.error)] : [];
      }
      default:
        return [];
    }
  }

  #begin({ reply_id, seq }: Pick<LoggedEvent, "seq"> & { readonly reply_id: string }): Events {
    // One that a lost machine has left without an end.
    for (const response of this.#open) if (!response.isWritten) response.write(null);
    const response = new OpenResponse(this.#kept, { reply_id, seq });
    this.#open = [...this.#open, response];
    this.#newest = seq;
    return [response.created()];
  }

  #writing(replyId: string): OpenResponse | undefined {
    const isOpen = ({ reply_id, isWritten }: OpenResponse) => reply_id === replyId && !isWritten;
    return this.#open.filter(isOpen).at(-1);
  }

  /** Events of a call whose beginning was not read are left out. */
  #tell(replyId: string, events: (response: OpenResponse) => Events): Events {
    const response = this.#writing(replyId);
    return response ? events(response) : [];
  }

  #takeCustom(event: Extract<LoggedEvent, { type: "CUSTOM" }>): Events {
    if (event.name === "message_added") return this.#added(event.value["message"]);
    const change = speechChangeOf(event);
    if (change?.name !== "speech_transcribed") return [];
    const item_id = this.#messages.get(change.message_id) ?? change.message_id;
    return [this.#transcribed(item_id, change.text, change.usage ?? null)];
  }

  /** A message that waited for its place may have been written down meanwhile. */
  #added(value: unknown): Events {
    if (!isJsonObject(value) || typeof value["id"] !== "string") return [];
    const { id, metadata, content, usage } = value;
    const speech = isJsonObject(metadata) ? speechOf({ metadata }) : null;
    if (!speech) return [];
    const item_id = this.#heard.get(Number(speech.item)) ?? id;
    this.#messages.set(id, item_id);
    if (speech.state !== "transcribed") return [];
    const first: unknown = Array.isArray(content) ? content[0] : null;
    const text = isJsonObject(first) && typeof first["text"] === "string" ? first["text"] : "";
    return [this.#transcribed(item_id, text, readUsage(usage))];
  }

  #transcribed(
    item_id: string,
    transcript: string,
    usage: Pick<Usage, "input_tokens" | "output_tokens"> | null,
  ): RealtimeServerEvent {
    const { input_tokens = null, output_tokens = null } = usage ?? {};
    const said = { item_id, transcript, input_tokens, output_tokens };
    return { type: "agent_input_transcription_done", ...agentOf(this.#kept), ...said };
  }

  #failed({ type, message }: { readonly type: string; readonly message: string }) {
    const error = { error_type: "server_error", code: type, message } as const;
    return { type: "agent_error", ...agentOf(this.#kept), ...error } as const;
  }

  /** Audio whose response was told, and responses of which nothing more comes. */
  #settle(): Events {
    const events: RealtimeServerEvent[] = [];
    const waiting: AudioFrame[] = [];
    for (const frame of this.#held) {
      const seq = this.#callOf(frame.item);
      // In order: what follows of the same call waits with it.
      if (waiting.length > 0 || seq === null || (seq ?? 0) > this.#newest) waiting.push(frame);
      else events.push(...this.#sound(frame, seq));
    }
    this.#held = waiting;
    const isWaited = (seq: number) => waiting.some(({ item }) => this.#callOf(item) === seq);
    const isDone = ({ seq, isWritten, isSaid }: OpenResponse) =>
      isWritten && isSaid && !isWaited(seq) && !this.#said.isBeingSaid(seq);
    events.push(...this.#open.filter(isDone).flatMap((response) => response.done()));
    this.#open = this.#open.filter((response) => !isDone(response));
    return events;
  }

  /** Remembered, as the engine forgets what was played before the client has been told its end. */
  #callOf(item: number): number | null | undefined {
    const seq = this.#said.callOf(item);
    if (typeof seq !== "number") return this.#calls.get(item) ?? seq;
    this.#calls.set(item, seq);
    return seq;
  }

  #sound(frame: AudioFrame, seq: number | undefined): Events {
    const response = this.#open.find((each) => each.seq === seq);
    // Its response has ended, or began before this connection.
    if (!response) return [];
    if (frame.type !== "audio") return response.endAudio(frame.item, frame.type === "audio_clear");
    const { audio_event: type } = this.#kept;
    const audio = { type, delta: frame.audio, rate: REALTIME_OUTPUT_RATE };
    return [response.audio(frame.item, audio)];
  }
}
