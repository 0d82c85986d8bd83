// One connection of the Realtime API. The provider finds turns, and writes them down; the session decides what follows: it
// asks for each response, and says what is cut off.
import type { Model, ModelRequest, StopSignal } from "../../../agent/ports.ts";
import type {
  VoiceConnection,
  VoiceModelEvent,
  VoiceSetup,
} from "../../../agent/voice/voice-model.ts";
import type { JsonFields } from "../../stream/json-fields.ts";
import { wordsOf } from "../../stream/model-failure.ts";
import { EventLine } from "../event-line.ts";
import { ConversationFeed, type FeedEntry } from "../realtime/conversation-feed.ts";
import { providerFailure, type ProviderFailure } from "../realtime/provider-failure.ts";
import type { ProviderSocket } from "../realtime/provider-socket.ts";
import type { SocketLimits } from "../realtime/socket-limits.ts";
import { SpokenResponses } from "../realtime/spoken-responses.ts";
import { toldHistory } from "../realtime/told-history.ts";
import { WireIds } from "../realtime/wire-ids.ts";
import { FrameReader, type ReadEvent } from "./openai-frames.ts";
import { OpenAiInput } from "./openai-input.ts";
import { itemsOf } from "./openai-items.ts";
import { isHarmless, refusalOf, type ActKind } from "./openai-refusals.ts";
import { changesOf, responseOf, sessionOf, toldOf, type SessionSetup } from "./openai-session.ts";
import type { RealtimeNames } from "./realtime-names.ts";
import { ResponseItems } from "./response-items.ts";

interface ConnectionOptions {
  readonly name: string;
  readonly names: RealtimeNames;
  readonly parameters: SessionSetup["parameters"];
  readonly setup: VoiceSetup;
  readonly limits: Partial<SocketLimits> | undefined;
  readonly onEvent: (event: VoiceModelEvent) => void;
}

export class OpenAiConnection implements VoiceConnection {
  readonly #options: ConnectionOptions;
  readonly #ids = new WireIds();
  readonly #reader: FrameReader;
  readonly #line: EventLine;
  readonly #feed: ConversationFeed;
  readonly #responses: SpokenResponses;
  readonly #input: OpenAiInput;
  #socket: ProviderSocket | null = null;
  #acts = 0;
  /** Instructions and tools as the provider has them. */
  #told = "";
  readonly #items = new ResponseItems();
  #sessionId = "";
  #settleReady: ((failure: ProviderFailure | null) => void) | null = null;
  #isClosed = false;

  constructor(options: ConnectionOptions) {
    const { name, names, setup, limits = {}, onEvent } = options;
    this.#options = options;
    this.#reader = new FrameReader(names);
    this.#line = new EventLine((event) => {
      onEvent(event);
      this.#responses.take(event);
    });
    this.#feed = new ConversationFeed(setup);
    this.#responses = new SpokenResponses({
      name,
      ...limits,
      feed: this.#feed,
      port: {
        ask: (entries, request) => this.#ask(entries, request),
        cancel: () => this.#send("cancel", { type: "response.cancel" }),
        tell: (event) => this.#line.tell(event),
        working: (isWorking) =>
          isWorking ? this.#socket?.expect("response") : this.#socket?.rest(),
      },
    });
    this.#input = new OpenAiInput({
      setup,
      findsTurns: names.findsTurns,
      ids: this.#ids,
      limits,
      tell: (event) => this.#line.tell(event),
      send: (kind, frame) => this.#send(kind, frame),
      lost: () => this.#fail(providerFailure("stalled")),
    });
  }

  /** Null once the provider has taken the setup. */
  begin(socket: ProviderSocket, stop: StopSignal): Promise<ProviderFailure | null> {
    const { setup, names, parameters } = this.#options;
    this.#socket = socket;
    if (stop.aborted || this.#isClosed) {
      this.close();
      return Promise.resolve(providerFailure("connection_lost"));
    }
    stop.addEventListener("abort", () => this.close(), { once: true });
    const ready = new Promise<ProviderFailure | null>((resolve) => (this.#settleReady = resolve));
    socket.expect("ready");
    this.#told = toldOf(setup.instructions, setup);
    this.#send("session", {
      type: "session.update",
      session: sessionOf({ ...setup, parameters }, names),
    });
    return ready;
  }

  take(frame: JsonFields): void {
    this.#input.noteFrame();
    for (const event of this.#reader.read(frame)) {
      if (this.#isClosed) return;
      this.#takeEvent(event);
    }
  }

  /** The socket has gone. */
  end(failure: ProviderFailure): void {
    if (this.#isClosed) return;
    this.#input.close();
    const isRefused = this.#settleReady !== null;
    this.#settle(failure);
    if (isRefused) return this.close();
    this.#isClosed = true;
    this.#responses.end(failure);
    this.#line.tell({ type: "session_ended", reason: failure.report.kind });
  }

  appendAudio(pcm: Uint8Array): void {
    if (!this.#isClosed) this.#input.append(pcm);
  }

  commit(): void {
    if (!this.#isClosed) this.#input.commit();
  }

  clear(): void {
    this.#input.clear();
  }

  speaks(): readonly [Model] {
    return [this.#responses.model()];
  }

  cancel(): void {
    this.#responses.cancel();
  }

  truncate(itemId: string, playedMs: number): void {
    const item_id = this.#ids.wire(itemId);
    if (item_id === null) return;
    if (playedMs < 1) return this.deleteItem(itemId);
    const audio_end_ms = Math.floor(playedMs);
    const truncated = { type: "conversation.item.truncate", item_id, content_index: 0 };
    this.#send("truncate", { ...truncated, audio_end_ms });
  }

  deleteItem(itemId: string): void {
    const item_id = this.#ids.wire(itemId);
    if (item_id !== null) this.#delete(item_id);
  }

  close(): void {
    this.#isClosed = true;
    this.#settle(providerFailure("connection_lost"));
    this.#line.close();
    this.#input.close();
    this.#socket?.close();
    this.#responses.end();
  }

  #takeEvent(event: ReadEvent): void {
    switch (event.type) {
      case "ready":
        return this.#beReady();
      case "session_created":
        this.#sessionId = event.session_id;
        return;
      case "refused":
        return this.#takeRefusal(event.event_id, event.error);
      case "failed_transcription": {
        const { message = "The provider could not write it down." } = wordsOf(event.error);
        const item_id = this.#input.idOf(event.item_id);
        const words = this.#redact(message);
        this.#line.tell({ type: "error", code: "transcription_failed", message: words, item_id });
        return;
      }
      case "input_started":
      case "input_done":
        return this.#input.take(event);
      case "input_transcription_delta":
      case "input_transcription_done":
        this.#line.tell({ ...event, item_id: this.#input.idOf(event.item_id) });
        return;
      default:
        this.#takeResponse(event);
    }
  }

  #takeResponse(event: Extract<ReadEvent, { readonly response_id: string }>): void {
    if ("item_id" in event) this.#items.note(event);
    const told = this.#own(event);
    const isAdmitted = this.#responses.admits(told);
    if (isAdmitted) this.#line.tell(told);
    if (event.type !== "response_done") return;
    const items = this.#items.end(event.response_id);
    // Items that nobody is told of, or is told again, were not said.
    if (!isAdmitted || event.status === "failed") for (const id of items) this.#delete(id);
  }

  #own(event: Extract<ReadEvent, { readonly response_id: string }>): VoiceModelEvent {
    const response_id = this.#ids.own(event.response_id);
    if (event.type === "response_created") return { ...event, response_id };
    if (event.type === "response_done") {
      const { failure, ...done } = event;
      if (!failure) return { ...done, response_id };
      const { error, report } = refusalOf(failure, (text) => this.#redact(text));
      this.#responses.reportOf(response_id, report);
      return { ...done, response_id, error };
    }
    const item_id = this.#ids.own(event.item_id);
    if (!("call_id" in event)) return { ...event, response_id, item_id };
    return { ...event, response_id, item_id, call_id: this.#ids.own(event.call_id) };
  }

  #beReady(): void {
    if (!this.#settleReady) return;
    this.#socket?.rest();
    const { setup, names } = this.#options;
    for (const item of itemsOf(toldHistory(setup.history), this.#ids, names)) {
      this.#send("history", { type: "conversation.item.create", item });
    }
    this.#line.tell({ type: "session_created", session_id: this.#sessionId });
    this.#settle(null);
  }

  #settle(failure: ProviderFailure | null): void {
    this.#settleReady?.(failure);
    this.#settleReady = null;
  }

  #ask(entries: readonly FeedEntry[], request: ModelRequest): void {
    const { names, setup } = this.#options;
    const { system_prompt: asked, tools } = request;
    // A client's own instructions, with which it has opened, stay: the call's are a part of them.
    const instructions = setup.instructions.includes(asked) ? setup.instructions : asked;
    const told = toldOf(instructions, request);
    if (told !== this.#told) {
      this.#told = told;
      const session = changesOf(instructions, tools, names);
      this.#send("change", { type: "session.update", session });
    }
    const pieces = entries.flatMap((entry) => (entry.type === "told" ? [entry] : []));
    for (const item of itemsOf(pieces, this.#ids, names)) {
      this.#send("item", { type: "conversation.item.create", item });
    }
    const response = responseOf(request);
    const create = { type: "response.create" };
    this.#send("respond", Object.keys(response).length > 0 ? { ...create, response } : create);
  }

  #takeRefusal(eventId: string, error: JsonFields): void {
    const { code = "", message = "" } = wordsOf(error);
    const act = /^[a-z]+/.exec(eventId)?.[0] as ActKind | undefined;
    if (isHarmless(act, { code, message })) return;
    const failure = refusalOf(error, (text) => this.#redact(text));
    // At its limit of time a session says so, and is closed: the next one goes on.
    if (code === "session_expired") return this.#fail(providerFailure("connection_lost", { code }));
    // Before the setup was taken it is the reason that there is no connection.
    if (this.#settleReady) return this.#fail(failure);
    const isOfCall = act === "respond" || act === "item" || act === "change";
    if (isOfCall || (act === undefined && this.#responses.isAwaited)) {
      this.#responses.refuse(failure);
      return;
    }
    const turn = act === "commit" ? this.#input.refuseCommit() : null;
    const named = { code: this.#redact(code) || "error", ...(turn !== null && { item_id: turn }) };
    const words = this.#redact(message) || "The provider has told of an error.";
    this.#line.tell({ type: "error", message: words, ...named });
  }

  #delete(item_id: string): void {
    this.#send("delete", { type: "conversation.item.delete", item_id });
  }

  #fail(failure: ProviderFailure): void {
    this.#socket?.fail(failure);
  }

  #redact(text: string): string {
    return this.#socket?.redact(text) ?? "";
  }

  /** The kind of the act comes back with a refusal. */
  #send(kind: ActKind, frame: object): void {
    if (this.#isClosed) return;
    this.#acts += 1;
    this.#socket?.send({ ...frame, event_id: `${kind}_${this.#acts}` });
  }
}
