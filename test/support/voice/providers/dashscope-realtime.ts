// A fake of Qwen-Omni's realtime server, by Alibaba Cloud's pages on its client events and server events: the names of
// OpenAI's beta, flat settings, responses that it begins by itself. It hears and speaks tones.
import { describeSpeech } from "../../../../model/voice/scripted/describe-speech.ts";
import { HeardTurns } from "../../../../model/voice/heard-turns.ts";
import { decodeBase64 } from "../../../../protocol/base64.ts";
import type { TurnSettings } from "../../../../protocol/voice/contract.ts";
import { FakeBrain } from "./fake-brain.ts";
import { DashScopeResponse } from "./dashscope-response.ts";
import { FakeProvider, type Frame, type ProviderClient, type Refusal } from "./fake-provider.ts";

/** Switches; all are off when left out. */
interface DashScopeTraps {
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
  /** Whether `response.done` follows a cancel: some models send the end of the item alone, or nothing. */
  cancels?: "item" | "silently";
  /** Spoken turns and results are answered only when asked. */
  isShy?: boolean;
  /** The next response fails with this error. */
  failure?: { readonly code: string; readonly message: string } | null;
  /** Names of calls come with their items alone. */
  isTerse?: boolean;
  /** Awaited before each piece of a response. */
  pace?: () => Promise<unknown>;
  /** Called with each frame before it is sent: it may send others. */
  beside?: (client: ProviderClient, event: Frame) => void;
}

export interface FakeDashScope {
  /** For `base_url`. */
  readonly url: string;
  readonly server: FakeProvider;
  readonly traps: DashScopeTraps;
  /** The conversation of a connection, by its number. */
  readonly brains: readonly FakeBrain[];
  stop(): Promise<void>;
}

export async function startFakeDashScope(): Promise<FakeDashScope> {
  const traps: DashScopeTraps = {};
  const brains: FakeBrain[] = [];
  const server = await FakeProvider.start({
    refusal: () => traps.refusal ?? null,
    onClient: (client) => {
      const session = new FakeSession(client, traps);
      brains.push(session.brain);
      return (frame) => session.take(frame);
    },
  });
  return { url: `${server.url}/api-ws/v1`, server, traps, brains, stop: server.stop };
}

const RATE = 16_000;

interface FakeTool {
  readonly function: { readonly name: string };
}

class FakeSession {
  readonly brain = new FakeBrain();
  readonly #client: ProviderClient;
  readonly #traps: DashScopeTraps;
  #session: Record<string, unknown> = {};
  #turns: HeardTurns;
  #response: DashScopeResponse | null = null;
  #late: (() => void) | null = null;
  #hasAudio = false;
  /** Lines of the conversation that the instructions have told. */
  #told = 0;
  #ids = 0;

  constructor(client: ProviderClient, traps: DashScopeTraps) {
    this.#client = client;
    this.#traps = traps;
    this.#turns = this.#hearing(null);
    this.#send({ type: "session.created", session: { id: "sess_1", object: "realtime.session" } });
  }

  take(frame: Frame): void {
    const { isGone, hearsNoise } = this.#traps;
    if (isGone || (hearsNoise && frame["type"] === "input_audio_buffer.append")) return;
    switch (frame["type"]) {
      case "session.update":
        return this.#update(frame["session"] as Record<string, unknown>);
      case "input_audio_buffer.append":
        this.#hasAudio = true;
        return this.#turns.append(decodeBase64(String(frame["audio"])) ?? new Uint8Array());
      case "input_audio_buffer.commit":
        return this.#turns.commit();
      case "input_audio_buffer.clear":
        this.#turns.clear();
        return this.#send({ type: "input_audio_buffer.cleared" });
      case "input_image_buffer.append":
        if (!this.#hasAudio)
          this.#refuse("invalid_value", "Error append image before append audio.");
        return;
      case "conversation.item.create":
        return this.#create(frame["item"] as Record<string, string>);
      case "response.create":
        return this.#respond();
      case "response.cancel":
        if (this.#response) return this.#cancel(this.#response);
        return this.#refuse("invalid_value", "Conversation has no active response to cancel");
      default:
        return this.#refuse("invalid_value", `Invalid type: ${String(frame["type"])}`);
    }
  }

  #update(session: Record<string, unknown>): void {
    const { isDeaf, setupError } = this.#traps;
    if (isDeaf) return;
    const error = setupError ?? errorOf(session);
    if (error) return this.#client.send({ type: "error", event_id: "event_0", error });
    const isFirst = Object.keys(this.#session).length === 0;
    this.#session = { ...this.#session, ...session };
    this.#read(String(session["instructions"]));
    if (isFirst) this.#turns = this.#hearing(session["turn_detection"] as TurnSettings | null);
    this.#send({ type: "session.updated", session: { id: "sess_1", ...this.#session } });
  }

  /** The conversation has what the instructions tell of it: a model reads them. */
  #read(instructions: string): void {
    const told = [...instructions.matchAll(/^(User|Assistant): (".*")$/gm)];
    for (const [, speaker = "", text = ""] of told.slice(this.#told)) {
      const role = speaker === "User" ? "user" : "assistant";
      const item = { type: "text", id: this.#id("told"), role, audioMs: 0 } as const;
      this.brain.items.push({ ...item, text: JSON.parse(text) as string });
    }
    this.#told = told.length;
  }

  #hearing(turns: TurnSettings | null): HeardTurns {
    const names = new Map<string, string>();
    const nameOf = (id: string) => {
      const name = names.get(id) ?? this.#id("item");
      names.set(id, name);
      return name;
    };
    const settings = turns && { ...turns, prefix_padding_ms: 0 };
    return new HeardTurns({
      turns: settings,
      rate: RATE,
      tell: (event) => {
        if (event.type === "error")
          return this.#refuse("invalid_value", "buffer too small to commit");
        if (event.type !== "input_started" && event.type !== "input_done") return;
        const item_id = nameOf(event.item_id);
        if (event.type === "input_started") {
          if (!turns) return;
          this.#response?.cancel();
          const { audio_start_ms } = event;
          this.#send({ type: "input_audio_buffer.speech_started", item_id, audio_start_ms });
          return;
        }
        const { audio_end_ms } = event;
        if (turns) this.#send({ type: "input_audio_buffer.speech_stopped", item_id, audio_end_ms });
        this.#send({ type: "input_audio_buffer.committed", item_id });
        const item = { id: item_id, type: "message", role: "user", content: [] };
        this.#send({ type: "conversation.item.created", item });
      },
      hear: ({ item_id: id, pcm }) => {
        const item_id = nameOf(id);
        const text = describeSpeech(pcm, RATE);
        this.brain.items.push({ type: "text", id: item_id, role: "user", text, audioMs: 0 });
        this.#transcribe(item_id, text);
        if (turns) this.#respondBySelf();
      },
    });
  }

  #transcribe(item_id: string, transcript: string): void {
    const { transcripts } = this.#traps;
    const prefix = "conversation.item.input_audio_transcription";
    if (transcripts === "never" || this.#session["input_audio_transcription"] === null) return;
    if (transcripts === "failed") {
      const error = { code: "asr_failed", message: "It was noise." };
      return this.#send({ type: `${prefix}.failed`, item_id, content_index: 0, error });
    }
    const tell = () => {
      this.#send({ type: `${prefix}.delta`, item_id, content_index: 0, text: "", stash: "/s" });
      this.#send({ type: `${prefix}.completed`, item_id, content_index: 0, transcript });
    };
    if (transcripts === "late") this.#late = tell;
    else tell();
  }

  #create(item: Record<string, string>): void {
    const { type, call_id = "", output = "" } = item;
    if (type !== "function_call_output") {
      return this.#refuse("invalid_value", `Invalid item type: ${type}`);
    }
    const id = this.#id("item");
    this.brain.items.push({ type: "result", id, call_id, output });
    this.#send({ type: "conversation.item.created", item: { ...item, id } });
    const calls = this.brain.items.filter((one) => one.type === "call").length;
    const results = this.brain.items.filter((one) => one.type === "result").length;
    if (this.#session["turn_detection"] && calls === results) this.#respondBySelf();
  }

  #respondBySelf(): void {
    if (!this.#traps.isShy && !this.#response) this.#respond();
  }

  #cancel(response: DashScopeResponse): void {
    const { cancels } = this.#traps;
    if (!cancels) return response.cancel();
    response.vanish(cancels === "item");
    this.#response = null;
  }

  #respond(): void {
    if (this.#response) {
      return this.#refuse("invalid_value", "Conversation already has an active response");
    }
    const { failure = null, isStuck = false, isTerse = false, pace } = this.#traps;
    this.#traps.failure = null;
    const response = new DashScopeResponse({
      id: this.#id("resp"),
      brain: this.brain,
      tools: ((this.#session["tools"] ?? []) as readonly FakeTool[]).map(
        (tool) => tool.function.name,
      ),
      failure,
      isStuck,
      isTerse,
      newId: (kind) => this.#id(kind),
      pace: async () => void (await pace?.()),
      send: (event) => this.#send(event),
    });
    this.#response = response;
    void response.play().then(() => {
      if (this.#response === response) this.#response = null;
      this.#late?.();
      this.#late = null;
    });
  }

  #refuse(code: string, message: string): void {
    const error = { type: "invalid_request_error", code, message, param: null };
    this.#send({ type: "error", error });
  }

  /** Numbered for each connection: a provider may give an id again on another one. */
  #id(kind: string): string {
    this.#ids += 1;
    return `${kind}_${this.#ids}`;
  }

  #send(event: Frame): void {
    this.#traps.beside?.(this.#client, event);
    // Members that nobody knows are passed over.
    this.#client.send({ event_id: "event_1", ...event, newer_member: { of: ["later", null] } });
  }
}

/** As the server checks its settings. */
function errorOf({ modalities, voice }: Record<string, unknown>): object | null {
  const type = "invalid_request_error";
  const isBoth = JSON.stringify(modalities) === '["text","audio"]';
  if (!isBoth) return { type, code: "invalid_value", message: "Invalid modalities" };
  return voice === "" ? { type, code: "invalid_value", message: "Invalid voice" } : null;
}
