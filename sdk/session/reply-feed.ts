// Where a reply's events come from: the POST that starts it, then GETs.
import type { LoggedEvent } from "../../protocol/events.ts";
import { FOLLOW_IDLE_MS, HEARTBEAT_MS } from "../../protocol/limits/streams.ts";
import { REPLY_ID_HEADER } from "../../protocol/reply-id-header.ts";
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

/** One of the two is there: a reply to start, or one that runs. */
export interface ReplyOrigin {
  readonly id: string | null;
  readonly request: ReplyBody | null;
}

export class ReplyFeed implements EventFeed {
  readonly #transport: Transport;
  readonly #sessionId: string;
  readonly #request: ReplyBody | null;
  /** Null when the app answers no calls by itself. */
  readonly #answers: AnswerOptions | null;
  /** Made when the reply first waits, and kept: it remembers what it has answered. */
  #answerer: CallAnswerer | null = null;
  readonly #isFollowing: boolean;
  /** The last event before the pause that is waited through, and since when. */
  #followed = { after: -1, sinceMs: 0 };
  readonly #idempotencyKey = randomId("req");
  /** As the first try asked: the same key has to come with the same body. */
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

  /** Null until the platform has said it. */
  get id(): string | null {
    return this.#id;
  }

  async connect(options: ConnectOptions): Promise<EventConnection | null> {
    const { after } = options;
    for (;;) {
      const connection =
        this.#id === null ? await this.#start(options) : await this.#goOn(this.#id, options);
      if (connection || this.#id === null) return connection;
      if (this.#answers && (await this.#answer(this.#id, this.#answers, options))) continue;
      return this.#mayFollow(after) ? this.#goOn(this.#id, options, true) : null;
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

  /** The platform closes a stream on which nothing comes: one that was open for about as long is not opened again. */
  #mayFollow(after: number): boolean {
    if (!this.#isFollowing) return false;
    if (this.#followed.after !== after) this.#followed = { after, sinceMs: Date.now() };
    return Date.now() - this.#followed.sinceMs < FOLLOW_IDLE_MS - HEARTBEAT_MS;
  }

  /** A stream that stays open does not say that the reply waits by its end. */
  isPause({ type }: LoggedEvent): boolean {
    return this.#isFollowing && this.#answers !== null && type.startsWith("REQUIRE_");
  }

  isLast(event: LoggedEvent): boolean {
    return event.type === "REPLY_END" && event.reply_id === this.#id;
  }

  /** A reply that is known to run is worth waiting for; a first contact is tried as often as any request. */
  mayRetry(failures: number): boolean | null {
    return this.#id === null ? failures <= this.#transport.settings.maxRetries : null;
  }

  #goOn(
    replyId: string,
    options: ConnectOptions,
    isFollowing = false,
  ): Promise<EventConnection | null> {
    const range = { sessionId: this.#sessionId, replyId, isFollowing };
    return connectEvents(this.#transport, range, options);
  }

  async #start(options: ConnectOptions): Promise<EventConnection | null> {
    const canStream = (this.#asksForStream ??= this.#transport.canStream);
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
        // Some refusals concern the stream alone, and name the reply that runs without it.
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
    return this.#goOn(replyId, options);
  }

  /** A message that the platform knew already is answered from where its reply stands: read that from the start. */
  async *#fromItsStart(
    { batches }: EventConnection,
    replyId: string,
    options: ConnectOptions,
  ): AsyncGenerator<readonly LoggedEvent[], void> {
    let isWhole = false;
    for await (const batch of batches) {
      isWhole ||= batch[0]?.type === "REPLY_START";
      if (!isWhole) {
        const whole = await this.#goOn(replyId, options);
        if (whole) yield* whole.batches;
        return;
      }
      yield batch;
    }
  }
}
