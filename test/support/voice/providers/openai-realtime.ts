// A fake of OpenAI's Realtime API, by the names of its general availability and by xAI's. It hears and speaks tones, and has
// a switch for each trap that is known of the real ones.
import type { ConversationItem, RealtimeServerEvent } from "openai/resources/realtime/realtime";

import { describeSpeech } from "../../../../model/voice/scripted/describe-speech.ts";
import { HeardTurns } from "../../../../model/voice/heard-turns.ts";
import { decodeBase64 } from "../../../../protocol/base64.ts";
import type { TurnSettings } from "../../../../protocol/voice/contract.ts";
import { FakeBrain } from "./fake-brain.ts";
import { FakeProvider, type Frame, type ProviderClient, type Refusal } from "./fake-provider.ts";
import { OpenAiResponse } from "./openai-response.ts";

/** Switches; all are off when left out. */
interface OpenAiTraps {
  refusal?: Refusal | null;
  /** The setup is never answered. */
  isDeaf?: boolean;
  /** Nothing is answered any more, and nothing closed: a socket that is half open. */
  isGone?: boolean;
  /** Speech counts as noise. */
  hearsNoise?: boolean;
  /** The setup is refused with this error. */
  setupError?: object;
  /** `late`: behind the response. When left out it comes before it. */
  transcripts?: "late" | "never" | "failed";
  /** Responses begin, and nothing follows. */
  isStuck?: boolean;
  /** Responses are never said to be cancelled. */
  cancelsSilently?: boolean;
  /** The next response fails with this error. */
  failure?: { readonly code: string; readonly message: string } | null;
  /** Awaited before each piece of a response. */
  pace?: () => Promise<unknown>;
  /** Called with each frame before it is sent: it may send others. */
  beside?: (client: ProviderClient, event: Frame) => void;
}

export interface FakeOpenAi {
  /** For `base_url`. */
  readonly url: string;
  readonly server: FakeProvider;
  readonly traps: OpenAiTraps;
  /** The conversation of a connection, by its number. */
  readonly brains: readonly FakeBrain[];
  stop(): Promise<void>;
}

export async function startFakeOpenAi(dialect: "openai" | "xai" = "openai"): Promise<FakeOpenAi> {
  const traps: OpenAiTraps = {};
  const brains: FakeBrain[] = [];
  const server = await FakeProvider.start({
    refusal: () => traps.refusal ?? null,
    onClient: (client) => {
      const session = new FakeSession(client, { traps, dialect });
      brains.push(session.brain);
      return (frame) => session.take(frame);
    },
  });
  return { url: `${server.url}/v1`, server, traps, brains, stop: server.stop };
}

interface Options {
  readonly traps: OpenAiTraps;
  readonly dialect: "openai" | "xai";
}

const RATE = 24_000;

class FakeSession {
  readonly brain = new FakeBrain();
  readonly #client: ProviderClient;
  readonly #options: Options;
  #session: Record<string, unknown> = {};
  #turns: HeardTurns;
  #response: OpenAiResponse | null = null;
  #ids = 0;
  #events = 0;

  constructor(client: ProviderClient, options: Options) {
    this.#client = client;
    this.#options = options;
    this.#turns = this.#hearing(null);
    const session = { type: "realtime", id: "sess_1", object: "realtime.session" } as const;
    this.#send({ type: "session.created", event_id: this.#eventId(), session });
  }

  take(frame: Frame): void {
    const { traps } = this.#options;
    if (traps.isGone) return;
    if (traps.hearsNoise && frame["type"] === "input_audio_buffer.append") return;
    switch (frame["type"]) {
      case "session.update":
        return this.#update(frame);
      case "input_audio_buffer.append":
        return this.#turns.append(decodeBase64(String(frame["audio"])) ?? new Uint8Array());
      case "input_audio_buffer.commit":
        return this.#turns.commit();
      case "input_audio_buffer.clear":
        this.#turns.clear();
        return this.#send({ type: "input_audio_buffer.cleared", event_id: this.#eventId() });
      case "conversation.item.create":
        return this.#create(frame["item"] as ConversationItem);
      case "conversation.item.truncate":
        return this.#truncate(frame);
      case "conversation.item.delete":
        return this.#delete(frame);
      case "response.create":
        return this.#respond(frame);
      case "response.cancel":
        if (this.#response) {
          if (!traps.cancelsSilently) this.#response.cancel();
          return;
        }
        return this.#refuse(frame, "response_cancel_not_active", "no active response found");
      default:
        return this.#refuse(frame, "unknown_event", `Unknown event ${String(frame["type"])}`);
    }
  }

  #update(frame: Frame): void {
    const { traps, dialect } = this.#options;
    if (traps.isDeaf) return;
    if (traps.setupError) {
      this.#client.send({ type: "error", event_id: "event_0", error: traps.setupError });
      return;
    }
    this.#session = { ...this.#session, ...(frame["session"] as object) };
    const audio = this.#session["audio"] as
      | { readonly input?: { readonly turn_detection?: unknown } }
      | undefined;
    const turns =
      dialect === "xai" ? this.#session["turn_detection"] : audio?.input?.turn_detection;
    if ("audio" in (frame["session"] as object)) {
      this.#turns = this.#hearing(turns as TurnSettings | null);
    }
    const session = this.#session as never;
    this.#send({ type: "session.updated", event_id: this.#eventId(), session });
  }

  #hearing(turns: TurnSettings | null): HeardTurns {
    const names = new Map<string, string>();
    const nameOf = (id: string) => {
      const name = names.get(id) ?? this.#id("item");
      names.set(id, name);
      return name;
    };
    return new HeardTurns({
      turns,
      rate: RATE,
      tell: (event) => {
        if (event.type === "error") {
          const { code, message } = event;
          return this.#refuse({ event_id: this.#lastAct("commit") }, code, message);
        }
        if (event.type !== "input_started" && event.type !== "input_done") return;
        const item_id = nameOf(event.item_id);
        const event_id = this.#eventId();
        if (turns && event.type === "input_started") {
          const { audio_start_ms } = event;
          const type = "input_audio_buffer.speech_started";
          this.#send({ type, event_id, item_id, audio_start_ms });
        }
        if (event.type === "input_started") return;
        if (turns) {
          const { audio_end_ms } = event;
          const type = "input_audio_buffer.speech_stopped";
          this.#send({ type, event_id, item_id, audio_end_ms });
        }
        this.#send({ type: "input_audio_buffer.committed", event_id: this.#eventId(), item_id });
      },
      hear: ({ item_id: id, pcm }) => {
        const item_id = nameOf(id);
        const text = describeSpeech(pcm, RATE);
        this.brain.items.push({ type: "text", id: item_id, role: "user", text, audioMs: 0 });
        this.#transcribe(item_id, text);
      },
    });
  }

  #transcribe(item_id: string, transcript: string): void {
    const { transcripts } = this.#options.traps;
    const ids = { item_id, content_index: 0 };
    const prefix = "conversation.item.input_audio_transcription";
    if (transcripts === "never") return;
    if (transcripts === "failed") {
      const error = {
        type: "server_error",
        code: "audio_unintelligible",
        message: "It was noise.",
      };
      const type = `${prefix}.failed` as const;
      return this.#send({ type, event_id: this.#eventId(), ...ids, error });
    }
    const tell = () => {
      const type = `${prefix}.delta` as const;
      this.#send({ type, event_id: this.#eventId(), ...ids, delta: transcript });
      this.#send({
        type: `${prefix}.completed`,
        event_id: this.#eventId(),
        ...ids,
        transcript,
        usage: {
          type: "tokens",
          input_tokens: 14,
          output_tokens: 5,
          total_tokens: 19,
          input_token_details: { text_tokens: 2, audio_tokens: 12 },
        },
      });
    };
    if (transcripts === "late") this.#late = tell;
    else tell();
  }

  #late: (() => void) | null = null;

  #create(item: ConversationItem): void {
    const id = this.#id("item");
    if (item.type === "function_call") {
      const { call_id = "", name, arguments: input } = item;
      this.brain.items.push({ type: "call", id, call_id, name, input });
    } else if (item.type === "function_call_output") {
      const { call_id, output } = item;
      this.brain.items.push({ type: "result", id, call_id, output });
    } else if (item.type === "message") {
      const text = item.content
        .map((part) => ("text" in part && part.text ? part.text : `[${part.type}]`))
        .join("\n");
      this.brain.items.push({ type: "text", id, role: item.role, text, audioMs: 0 });
    }
    const named = { ...item, id };
    this.#send({ type: "conversation.item.added", event_id: this.#eventId(), item: named });
    this.#send({ type: "conversation.item.done", event_id: this.#eventId(), item: named });
  }

  #truncate(frame: Frame): void {
    const item = this.brain.find(String(frame["item_id"]));
    const ms = Number(frame["audio_end_ms"]);
    if (!item) return this.#refuseItem(frame, "truncate");
    if (item.type !== "text" || item.audioMs === 0 || ms <= 0) {
      const words = "Only model output audio messages can be truncated";
      return this.#refuse(frame, "unsupported_content_type", words);
    }
    if (ms > item.audioMs) {
      const words = `Audio content of ${item.audioMs}ms is already shorter than ${ms}ms`;
      return this.#refuse(frame, "invalid_value", words);
    }
    item.text = item.text.slice(0, Math.floor((item.text.length * ms) / item.audioMs));
    item.audioMs = ms;
    const place = { item_id: item.id, content_index: 0, audio_end_ms: ms };
    this.#send({ type: "conversation.item.truncated", event_id: this.#eventId(), ...place });
  }

  #delete(frame: Frame): void {
    const item_id = String(frame["item_id"]);
    if (!this.brain.find(item_id)) return this.#refuseItem(frame, "delete");
    this.brain.remove(item_id);
    this.#send({ type: "conversation.item.deleted", event_id: this.#eventId(), item_id });
  }

  #respond(frame: Frame): void {
    const { traps, dialect } = this.#options;
    if (this.#response) {
      const words = "Conversation already has an active response";
      return this.#refuse(frame, "conversation_already_has_active_response", words);
    }
    const failure = traps.failure ?? null;
    traps.failure = null;
    const response = new OpenAiResponse({
      id: this.#id("resp"),
      brain: this.brain,
      tools: ((this.#session["tools"] ?? []) as readonly { readonly name: string }[]).map(
        ({ name }) => name,
      ),
      failure,
      isStuck: traps.isStuck ?? false,
      isOldText: dialect === "xai",
      newId: (kind) => this.#id(kind),
      pace: async () => void (await traps.pace?.()),
      send: (event) => this.#send({ ...event, event_id: this.#eventId() } as RealtimeServerEvent),
    });
    this.#response = response;
    void response.play().then(() => {
      this.#response = null;
      this.#late?.();
      this.#late = null;
    });
  }

  #refuseItem(frame: Frame, act: "delete" | "truncate"): void {
    const words = `Item with item_id not found: ${String(frame["item_id"])}`;
    this.#refuse(frame, `item_${act}_invalid_item_id`, words);
  }

  #refuse(frame: Frame, code: string, message: string): void {
    const event_id = typeof frame["event_id"] === "string" ? frame["event_id"] : null;
    const error = { type: "invalid_request_error", code, message, param: null, event_id };
    this.#send({ type: "error", event_id: this.#eventId(), error });
  }

  #lastAct(kind: string): string | undefined {
    const ids = this.#client.frames.map((frame) => String(frame["event_id"]));
    return ids.findLast((id) => id.startsWith(kind));
  }

  /** Numbered for each connection: a provider may give an id again on another one. */
  #id(kind: string): string {
    this.#ids += 1;
    return `${kind}_${this.#ids}`;
  }

  #eventId(): string {
    this.#events += 1;
    return `event_${this.#events}`;
  }

  #send(event: RealtimeServerEvent): void {
    this.#options.traps.beside?.(this.#client, { ...event });
    // Members that nobody knows are passed over.
    this.#client.send({ ...event, newer_member: { of: ["later", null] } });
  }
}
