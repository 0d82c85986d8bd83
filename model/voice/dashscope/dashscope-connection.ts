// A connection to Qwen-Omni's realtime server. It hears, and answers what it has heard and the results of its own calls. It
// takes no text: what was typed is answered by the agent's own model, and said by a model that speaks.
import type { ModelReporter } from "../../../agent/failure-report.ts";
import type { Model, ModelChunk, StopSignal } from "../../../agent/ports.ts";
import { modelError } from "../../../agent/state/model-error.ts";
import type {
  VoiceConnection,
  VoiceModelEvent,
  VoiceSetup,
} from "../../../agent/voice/voice-model.ts";
import { untilStopped } from "../../../runtime/until-stopped.ts";
import type { SpeechPort } from "../cascade/ports.ts";
import { sayAnswer } from "../cascade/say-answer.ts";
import { SpeechLine } from "../cascade/speech-line.ts";
import { EventLine } from "../event-line.ts";
import { MAX_SPEECH_AHEAD_MS } from "../limits.ts";
import { ConversationFeed, type FeedEntry } from "../realtime/conversation-feed.ts";
import { ProgressTimer } from "../realtime/progress-timer.ts";
import { providerFailure, type ProviderFailure } from "../realtime/provider-failure.ts";
import type { ProviderSocket } from "../realtime/provider-socket.ts";
import { SilentProvider } from "../realtime/silent-provider.ts";
import type { SocketLimits } from "../realtime/socket-limits.ts";
import { ResponseChunks } from "../realtime/response-chunks.ts";
import { WireIds } from "../realtime/wire-ids.ts";
import type { DashScopeFrame, ErrorWords } from "./dashscope-frames.ts";
import { isHarmless, isTooSoon, refusalOf, shownWords } from "./dashscope-refusals.ts";
import { sessionUpdate, type DashScopeParameters } from "./dashscope-session.ts";
import { HeardSpeech } from "./heard-speech.ts";
import type { DashScopeWaits } from "./limits.ts";
import { pictureOf, readNewInput } from "./new-input.ts";
import { Responses } from "./responses.ts";
import type { ToldConversation } from "./told-conversation.ts";

export interface ConnectionOptions {
  readonly name: string;
  readonly parameters: DashScopeParameters;
  /** Says what the agent's own model writes; null leaves that unsaid. */
  readonly speech: SpeechPort | null;
  readonly setup: VoiceSetup;
  readonly told: ToldConversation;
  readonly waits: DashScopeWaits;
  readonly limits: SocketLimits;
  readonly socket: Pick<ProviderSocket, "send" | "expect" | "rest" | "redact" | "close" | "fail">;
  readonly onEvent: (event: VoiceModelEvent) => void;
}

/** The call of a model that waits for a response, or reads one. */
interface OpenCall {
  readonly chunks: ResponseChunks;
  readonly report: ModelReporter | undefined;
}

export class DashScopeConnection implements VoiceConnection {
  readonly #options: ConnectionOptions;
  readonly #line: EventLine;
  readonly #ids = new WireIds();
  readonly #feed: ConversationFeed;
  readonly #speech: HeardSpeech;
  readonly #responses: Responses;
  readonly #spokenText: SpeechLine | null;
  readonly #progress: ProgressTimer;
  /** Null with manual turns, which are asked about. */
  readonly #silence: SilentProvider | null;
  #call: OpenCall | null = null;
  /** The subject of the next answer: something that the server has heard or has asked for, or a text. */
  #answers: "server" | "text" = "text";
  #isClosed = false;

  constructor(options: ConnectionOptions) {
    const { setup, socket, speech, waits, limits } = options;
    this.#options = options;
    const stalled = providerFailure("stalled");
    this.#progress = new ProgressTimer(limits.progressMs, () => this.#fail(stalled));
    this.#silence =
      setup.turns &&
      new SilentProvider({
        turns: setup.turns,
        rate: setup.rates.input,
        limits,
        ask: () => this.#update(),
        lost: () => socket.fail(stalled),
      });
    this.#line = new EventLine((event) => {
      options.onEvent(event);
      if ("response_id" in event) this.#progress.note();
      this.#call?.chunks.take(event);
    });
    const tell = (event: VoiceModelEvent) => this.#line.tell(event);
    const send = (frame: object) => socket.send(frame);
    this.#feed = new ConversationFeed(setup);
    this.#responses = new Responses({
      ids: this.#ids,
      waits,
      send,
      tell,
      expect: (isUnderWay) => (isUnderWay ? socket.expect("response") : socket.rest()),
      said: ({ texts, callIds }) => {
        for (const text of texts) this.#feed.noteSaid(text);
        for (const id of callIds) this.#feed.noteCalled(id);
      },
      failed: (words) => this.#report(this.#failureOf(words)),
    });
    this.#speech = new HeardSpeech({
      turns: setup.turns,
      rate: setup.rates.input,
      ids: this.#ids,
      waits,
      send,
      tell,
      began: () => this.#responses.dropHeld(),
      ended: () => setup.turns && this.#responses.expectOwn(),
    });
    const now = () => Date.now();
    this.#spokenText =
      speech && new SpeechLine({ speech, tell, aheadMs: MAX_SPEECH_AHEAD_MS, now });
  }

  appendAudio(pcm: Uint8Array): void {
    if (this.#isClosed) return;
    this.#speech.append(pcm);
    this.#silence?.append(pcm);
  }

  commit(): void {
    if (!this.#isClosed) this.#speech.commit();
  }

  clear(): void {
    if (!this.#isClosed) this.#speech.clear();
  }

  speaks([own]: readonly [Model, ...Model[]]): readonly [Model] {
    const { name } = this.#options;
    return [
      { name, stream: (request, stop, report) => this.#stream(own, [request, stop, report]) },
    ];
  }

  cancel(): void {
    this.#responses.cancel();
    this.#spokenText?.cancel();
  }

  /** The server keeps what it has said. */
  truncate(): void {}

  deleteItem(): void {}

  close(): void {
    if (!this.#isClosed) this.#end(providerFailure("connection_lost"));
    this.#line.close();
    this.#options.socket.close();
  }

  /** The socket is open, and the server has taken the setup. */
  begin(sessionId: string): void {
    this.#line.tell({ type: "session_created", session_id: sessionId });
  }

  /** @param frame Null for one that says nothing that we know. */
  take(frame: DashScopeFrame | null): void {
    this.#silence?.note();
    if (this.#isClosed || !frame) return;
    switch (frame.type) {
      case "session_created":
      case "session_updated":
        return;
      case "error":
        return this.#takeError(frame.words);
      case "speech_started":
      case "speech_stopped":
      case "committed":
      case "transcript_delta":
      case "transcript":
        return this.#speech.take(frame);
      case "transcript_failed":
        return this.#speech.take({ ...frame, words: this.#shown(frame.words) });
      default:
        return this.#responses.take(frame);
    }
  }

  /** The socket is gone. */
  lose(failure: ProviderFailure): void {
    if (this.#isClosed) return;
    this.#line.tell({ type: "session_ended", reason: failure.report.kind });
    this.#end(failure);
  }

  #end(failure: ProviderFailure): void {
    this.#isClosed = true;
    this.#fail(failure);
    this.#responses.close();
    this.#speech.close();
    this.#silence?.note();
    this.#spokenText?.cancel();
  }

  async *#stream(
    own: Model,
    [request, stop, report]: Parameters<Model["stream"]>,
  ): AsyncGenerator<ModelChunk, void> {
    await untilStopped(this.#responses.quiet(), stop);
    if (stop.aborted) return;
    if (this.#isClosed) {
      yield { error: modelError("connection") };
      return;
    }
    this.#tell(this.#feed.take(request.messages));
    if (this.#answers === "text") yield* this.#write(own.stream(request, stop, report), stop);
    else yield* this.#read(stop, report);
  }

  /** The chunks of the server's response. */
  async *#read(
    stop: StopSignal,
    report: ModelReporter | undefined,
  ): AsyncGenerator<ModelChunk, void> {
    const call: OpenCall = { chunks: new ResponseChunks(), report };
    const end = () => {
      if (this.#call === call) this.#responses.abandon();
      call.chunks.end();
    };
    this.#call = call;
    stop.addEventListener("abort", end, { once: true });
    this.#progress.begin();
    this.#responses.claim();
    try {
      for await (const chunk of call.chunks) {
        if (stop.aborted) return;
        yield chunk;
      }
    } finally {
      stop.removeEventListener("abort", end);
      this.#progress.end();
      end();
      if (this.#call === call) this.#call = null;
    }
  }

  /** The chunks of the agent's own model, said where there is a model that speaks. */
  async *#write(
    chunks: AsyncIterable<ModelChunk>,
    stop: StopSignal,
  ): AsyncGenerator<ModelChunk, void> {
    const said = this.#spokenText ? sayAnswer(this.#spokenText, chunks, stop) : chunks;
    let text = "";
    for await (const chunk of said) {
      text += chunk.text ?? "";
      yield chunk;
    }
    if (text === "" || stop.aborted || this.#isClosed) return;
    // The next turn may be answered before the conversation is asked for again.
    this.#feed.noteSaid(text);
    this.#options.told.tellAnswer(text);
    this.#update();
  }

  /** Tells the server what it has not heard itself. */
  #tell(entries: readonly FeedEntry[]): void {
    const { setup, socket, told } = this.#options;
    const { pieces, pictures, results, answers } = readNewInput(entries, this.#ids);
    this.#answers = answers ?? this.#answers;
    for (const result of results) socket.send(result);
    const unseen = pictures.filter(({ block }) => !this.#speech.show(pictureOf(block) ?? ""));
    if (told.tell([...pieces, ...unseen])) this.#update();
    if (results.length > 0 && setup.turns) this.#responses.expectOwn();
  }

  #update(): void {
    const { setup, parameters, socket, told } = this.#options;
    const instructions = told.instructions(setup.instructions);
    socket.send(sessionUpdate(setup, parameters, instructions));
  }

  #takeError(words: ErrorWords): void {
    if (isHarmless(words)) return;
    const isSoon = isTooSoon(words);
    if (!isSoon && this.#speech.refuse(`${words.code} ${words.message}`)) return;
    if (this.#responses.refuse()) this.#fail(this.#failureOf(words));
    else if (!isSoon) this.#line.tell({ type: "error", ...this.#shown(words) });
  }

  #failureOf(words: ErrorWords): ProviderFailure {
    return refusalOf(this.#shown(words));
  }

  #shown(words: ErrorWords): ErrorWords {
    return shownWords(words, this.#options.socket);
  }

  #report({ report }: ProviderFailure): void {
    this.#call?.report?.({ failure: report });
  }

  #fail(failure: ProviderFailure): void {
    this.#report(failure);
    this.#call?.chunks.fail(failure.error);
  }
}
