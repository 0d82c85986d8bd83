// The source of a reply's events: the POST that starts it, then GETs.
import type { LoggedEvent } from "../../protocol/events.ts";
import { FOLLOW_IDLE_MS, HEARTBEAT_MS } from "../../protocol/events/limits.ts";
import { REPLY_ID_HEADER } from "../../protocol/requests/headers.ts";
import { ApiError } from "../transport/api-error.ts";
import type { AnswerOptions, CallAnswerer } from "../answers/call-answerer.ts";
import { ConnectionError } from "../transport/connection-error.ts";
import { connectEvents, readEvent, streamOf } from "../events/connect-events.ts";
import type { ConnectOptions, EventConnection } from "../events/event-connection.ts";
import type { EventFeed } from "../events/read-events.ts";
import { loadAnswering } from "../events/load-parts.ts";
import { randomId } from "../transport/random-id.ts";
import type { ReplyBody } from "../resources/reply-input.ts";
import type { Transport } from "../transport/transport.ts";
import { untilAborted } from "../transport/until-aborted.ts";

/** Exactly one is set: a reply to start, or an existing one. */
export interface ReplyOrigin {
  readonly id: string | null;
  readonly request: ReplyBody | null;
}

export class ReplyFeed implements EventFeed {
  readonly #transport: Transport;
  readonly #sessionId: string;
  readonly #request: ReplyBody | null;
  /** Null when the app gave no automatic answers. */
  readonly #answers: AnswerOptions | null;
  /** Created when the reply first waits; remembers which calls are answered. */
  #answerer: CallAnswerer | null = null;
  readonly #isFollowing: boolean;
  /** The last event before the wait that is being followed, and its time. */
  #followed = { after: -1, sinceMs: 0 };
  readonly #idempotencyKey = randomId("req");
  /** The choice of the first attempt: an idempotency key must be repeated with the same request. */
  #asksForStream: boolean | null = null;
  #id: string | null;

  constructor(
    transport: Transport,
    sessionId: string,
    { id, request }: ReplyOrigin,
    answers: AnswerOptions | null,
    isFollowing: boolean,
  ) {
    this.#isFollowing = isFollowing;
    this.#answers = answers;
    this.#transport = transport;
    this.#sessionId = sessionId;
    this.#id = id;
    this.#request = request;
  }

  /** Null until the platform's first answer. */
  get id(): string | null {
    return this.#id;
  }

  async connect(options: ConnectOptions): Promise<EventConnection | null> {
    const { after } = options;
    for (;;) {
      const connection =
        this.#id === null ? await this.#start(options) : await this.#resume(this.#id, options);
      if (connection || this.#id === null) return connection;
      if (this.#answers && (await this.#answer(this.#id, this.#answers, options))) continue;
      return this.#mayFollow(after) ? this.#resume(this.#id, options, true) : null;
    }
  }

  async #answer(
    replyId: string,
    answers: AnswerOptions,
    { after, signal }: ConnectOptions,
  ): Promise<boolean> {
    const { CallAnswerer } = await loadAnswering();
    this.#answerer ??= new CallAnswerer(this.#transport, this.#sessionId, answers);
    return untilAborted(this.#answerer.answer(replyId, after, signal), signal);
  }

  /** Whether events come over WebSockets, which are not closed while nothing is said. */
  get #hasSockets(): boolean {
    return this.#transport.settings.transport === "websocket";
  }

  /** The platform closes idle streams: one that was open for about that long is not reopened. */
  #mayFollow(after: number): boolean {
    if (!this.#isFollowing) return false;
    if (this.#hasSockets) return true;
    if (this.#followed.after !== after) this.#followed = { after, sinceMs: Date.now() };
    return Date.now() - this.#followed.sinceMs < FOLLOW_IDLE_MS - HEARTBEAT_MS;
  }

  /** A stream that stays open does not end when the reply waits. */
  isPause({ type }: LoggedEvent): boolean {
    return this.#isFollowing && this.#answers !== null && type.startsWith("REQUIRE_");
  }

  isLast(event: LoggedEvent): boolean {
    return event.type === "REPLY_END" && event.reply_id === this.#id;
  }

  /** A known reply is retried up to the give-up time; before that the limit of ordinary requests applies. */
  mayRetry(failures: number): boolean | null {
    return this.#id === null ? failures <= this.#transport.settings.maxRetries : null;
  }

  #resume(
    replyId: string,
    options: ConnectOptions,
    isFollowing = false,
  ): Promise<EventConnection | null> {
    const range = { of: ["sessions", this.#sessionId] as const, replyId, isFollowing };
    return connectEvents(this.#transport, range, options);
  }

  async #start(options: ConnectOptions): Promise<EventConnection | null> {
    const canStream = (this.#asksForStream ??=
      this.#transport.canStream === true && !this.#hasSockets);
    const answer = await this.#transport
      .open({
        method: "POST",
        path: ["sessions", this.#sessionId, "replies"],
        body: { ...this.#request, ...(canStream ? { stream: true } : { background: true }) },
        accept: canStream ? "text/event-stream" : undefined,
        idempotencyKey: this.#idempotencyKey,
        signal: options.signal,
      })
      .catch((error: unknown) => {
        // Some errors concern the stream only, and name the reply that runs nevertheless.
        if (ApiError.isInstance(error)) this.#id = error.headers.get(REPLY_ID_HEADER);
        throw error;
      });
    const { headers, status } = answer.response;
    const replyId = headers.get(REPLY_ID_HEADER);
    this.#id = replyId;
    if (replyId !== null && status === 200) {
      const stream = streamOf(this.#transport, answer, options, readEvent);
      if (stream) return { batches: this.#fromItsStart(stream, replyId, options) };
    }
    answer.close();
    if (replyId === null) throw new ConnectionError("the answer names no reply");
    return this.#resume(replyId, options);
  }

  /**
   * For a message id that it knows, the platform streams from the reply's current position: read that reply from its
   * start.
   */
  async *#fromItsStart(
    { batches }: EventConnection,
    replyId: string,
    options: ConnectOptions,
  ): AsyncGenerator<readonly LoggedEvent[], void> {
    let isWhole = false;
    for await (const batch of batches) {
      isWhole ||= batch[0]?.type === "REPLY_START";
      if (!isWhole) {
        const whole = await this.#resume(replyId, options);
        if (whole) yield* whole.batches;
        return;
      }
      yield batch;
    }
  }
}
