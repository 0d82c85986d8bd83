// The responses of one provider connection as the calls of a model: which one is under way, who reads its chunks, and what
// the provider has said and called itself, so that it is not told of it. Adapters give it their events before they are told.
import type { FailureReport, ModelReporter } from "../../../agent/failure-report.ts";
import type { Model, ModelChunk, ModelRequest, StopSignal } from "../../../agent/ports.ts";
import type { VoiceModelEvent } from "../../../agent/voice/voice-model.ts";
import { untilStopped } from "../../../runtime/until-stopped.ts";
import type { ConversationFeed, FeedEntry } from "./conversation-feed.ts";
import { ProgressTimer } from "./progress-timer.ts";
import { providerFailure, type ProviderFailure } from "./provider-failure.ts";
import { ResponseChunks } from "./response-chunks.ts";
import { SOCKET_LIMITS } from "./socket-limits.ts";

/** The adapter's side. */
interface ResponsePort {
  /** Tells the provider of the entries, and asks for a response to them. */
  ask(entries: readonly FeedEntry[], request: ModelRequest): void;
  /** Ends the provider's response under way; one that is over is no failure. */
  cancel(): void;
  /** Tells the owner of an event that no frame has brought. */
  tell(event: VoiceModelEvent): void;
  /** Called when a response is asked for, and when none is under way any more. */
  working(isWorking: boolean): void;
}

interface SpokenResponsesOptions {
  readonly name: string;
  readonly feed: ConversationFeed;
  readonly port: ResponsePort;
  /** Other than those of {@link SOCKET_LIMITS}, for tests. */
  readonly cancelMs?: number | undefined;
  readonly progressMs?: number | undefined;
}

/** Characters of what was said in one response, by which it is known again; no reply is longer. */
const MAX_SAID_CHARACTERS = 200_000;

class Asked {
  readonly chunks = new ResponseChunks();
  report: ModelReporter | undefined;
  /** Known once the response has begun. */
  id: string | null = null;
  /** Nobody waits for it any more. */
  isCancelled = false;
  /** Cancelled before it began: nobody is told of it. */
  isHidden = false;
  /** Texts as they are in the log: items that follow each other are one, and a call begins another. */
  readonly said: string[] = [""];
  saidCharacters = 0;
}

export class SpokenResponses {
  readonly #options: SpokenResponsesOptions;
  /** The response that was asked for, until it is done. */
  #asked: Asked | null = null;
  /** Responses whose events are still told, by id. */
  readonly #told = new Map<string, ResponseChunks>();
  #quiet: Promise<void> = Promise.resolve();
  #endQuiet: () => void = () => undefined;
  #end: ProviderFailure | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #progress: ProgressTimer;

  constructor(options: SpokenResponsesOptions) {
    this.#options = options;
    this.#progress = new ProgressTimer(options.progressMs ?? SOCKET_LIMITS.progressMs, () => {
      options.port.cancel();
      this.refuse(providerFailure("stalled"));
    });
  }

  /** The one model of spoken replies. */
  model(): Model {
    const { name } = this.#options;
    return { name, stream: (request, stop, report) => this.#stream(request, stop, report) };
  }

  /** Whether a response was asked for, and is not done. */
  get isWorking(): boolean {
    return this.#asked !== null;
  }

  /**
   * Takes an event as it comes from the provider. @returns False for one that is not to be told: of a response that nobody
   * has asked for, or that nobody waits for any more.
   */
  admits(event: VoiceModelEvent): boolean {
    if (event.type === "response_created") return this.#begin(event.response_id);
    if (!("response_id" in event)) return true;
    const asked = this.#asked;
    if (!asked || asked.id !== event.response_id) return false;
    this.#progress.note();
    if (event.type === "response_audio_transcript_delta") noteSaid(asked, event);
    if (isOfCall(event) && asked.said.at(-1) !== "") asked.said.push("");
    if (event.type === "response_tool_use_done") this.#options.feed.noteCalled(event.call_id);
    if (event.type === "response_done") {
      const texts = event.status === "failed" ? [] : asked.said;
      for (const text of texts) this.#options.feed.noteSaid(text);
      if (asked.isHidden) asked.chunks.end();
      this.#over();
    }
    return !asked.isHidden;
  }

  /** Takes an event that was told, in its order. */
  take(event: VoiceModelEvent): void {
    if (!("response_id" in event)) return;
    this.#told.get(event.response_id)?.take(event);
    if (event.type === "response_done") this.#told.delete(event.response_id);
  }

  /** Tells developers why the response under way fails. */
  report(failure: FailureReport): void {
    if (!this.#asked?.isCancelled) this.#asked?.report?.({ failure });
  }

  /** Tells them why this response fails, if it is the one under way. */
  reportOf(responseId: string, failure: FailureReport): void {
    if (this.#asked?.id === responseId) this.report(failure);
  }

  /** Whether a response was asked for that has not begun. */
  get isAwaited(): boolean {
    return this.#asked !== null && this.#asked.id === null;
  }

  /** The provider has refused the response that was asked for, or something that it is an answer to. */
  refuse({ error, report }: ProviderFailure): void {
    const asked = this.#asked;
    if (!asked) return;
    this.report(report);
    if (asked.id === null) {
      asked.chunks.fail(error);
      return this.#over();
    }
    const done = { type: "response_done", response_id: asked.id, usage: null } as const;
    this.#finish({ ...done, status: "failed", error });
  }

  cancel(): void {
    const asked = this.#asked;
    if (!asked || asked.isCancelled) return;
    asked.isCancelled = true;
    if (asked.id !== null) this.#options.port.cancel();
    this.#expectEnd(asked);
  }

  /** The connection has gone, with this failure, or was closed. */
  end(failure: ProviderFailure = providerFailure("connection_lost")): void {
    if (this.#end) return;
    this.#end = failure;
    const asked = this.#asked;
    this.report(failure.report);
    asked?.chunks.fail(failure.error);
    for (const chunks of this.#told.values()) chunks.fail(failure.error);
    this.#told.clear();
    this.#over();
  }

  async *#stream(
    request: ModelRequest,
    stop: StopSignal,
    report: ModelReporter | undefined,
  ): AsyncGenerator<ModelChunk, void> {
    while (this.#asked && !stop.aborted) await untilStopped(this.#quiet, stop);
    if (stop.aborted) return;
    if (this.#end) {
      report?.({ failure: this.#end.report });
      yield { error: this.#end.error };
      return;
    }
    const asked = new Asked();
    asked.report = report;
    const end = () => {
      if (this.#asked === asked) this.cancel();
      asked.chunks.end();
    };
    stop.addEventListener("abort", end, { once: true });
    this.#asked = asked;
    this.#quiet = new Promise((resolve) => (this.#endQuiet = resolve));
    this.#options.port.working(true);
    this.#progress.begin();
    this.#options.port.ask(this.#options.feed.take(request.messages), request);
    try {
      for await (const chunk of asked.chunks) {
        if (stop.aborted) return;
        yield chunk;
      }
    } finally {
      stop.removeEventListener("abort", end);
      if (this.#asked === asked) this.cancel();
    }
  }

  #begin(responseId: string): boolean {
    if (responseId === "" || this.#told.has(responseId)) return false;
    const asked = this.#asked;
    if (!asked) this.#options.port.cancel();
    if (!asked || asked.id !== null) return false;
    asked.id = responseId;
    asked.isHidden = asked.isCancelled;
    if (!asked.isHidden) this.#told.set(responseId, asked.chunks);
    else this.#options.port.cancel();
    return !asked.isHidden;
  }

  /** Providers that do not end what was cancelled, or begin it no more, are not waited for. */
  #expectEnd(asked: Asked): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      if (this.#asked !== asked) return;
      if (asked.id === null) return this.#over();
      const done = { type: "response_done", response_id: asked.id, usage: null } as const;
      this.#finish({ ...done, status: "cancelled" });
    }, this.#options.cancelMs ?? SOCKET_LIMITS.cancelMs);
  }

  #finish(done: VoiceModelEvent): void {
    if (this.admits(done)) this.#options.port.tell(done);
  }

  #over(): void {
    clearTimeout(this.#timer);
    this.#progress.end();
    if (!this.#asked) return;
    this.#asked = null;
    this.#options.port.working(false);
    this.#endQuiet();
  }
}

function isOfCall({ type }: VoiceModelEvent): boolean {
  return type === "response_tool_use_delta" || type === "response_tool_use_done";
}

function noteSaid(asked: Asked, { delta }: { readonly delta: string }): void {
  asked.saidCharacters += delta.length;
  if (asked.saidCharacters > MAX_SAID_CHARACTERS) return;
  asked.said[asked.said.length - 1] += delta;
}
