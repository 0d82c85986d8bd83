// Where a reply's events come from: the POST that starts it, then GETs.
import type { ReplyCreateSchema } from "../protocol/api/replies.ts";
import { REPLY_ID_HEADER } from "../protocol/api/routes.ts";
import type { LoggedEvent } from "../protocol/events.ts";
import { ApiError } from "./api-error.ts";
import { ConnectionError } from "./connection-error.ts";
import { connectEvents, streamOf } from "./event-connection.ts";
import type { ConnectOptions, EventConnection } from "./event-connection.ts";
import type { EventFeed } from "./event-reader.ts";
import type { InputOf } from "./input-of.ts";
import { randomId } from "./random-id.ts";
import type { Transport } from "./transport.ts";

/** What starts a reply; its messages have ids. */
type ReplyRequest = Pick<
  InputOf<typeof ReplyCreateSchema>,
  "input" | "on_busy" | "structured_schema"
>;

/** One of the two is there: a reply to start, or one that runs. */
export interface ReplyOrigin {
  readonly id: string | null;
  readonly request: ReplyRequest | null;
}

export class ReplyFeed implements EventFeed {
  readonly #transport: Transport;
  readonly #sessionId: string;
  readonly #request: ReplyRequest | null;
  readonly #idempotencyKey = randomId("req");
  #id: string | null;

  constructor(transport: Transport, sessionId: string, { id, request }: ReplyOrigin) {
    this.#transport = transport;
    this.#sessionId = sessionId;
    this.#id = id;
    this.#request = request;
  }

  /** Null until the platform has said it. */
  get id(): string | null {
    return this.#id;
  }

  connect(options: ConnectOptions): Promise<EventConnection | null> {
    return this.#id === null ? this.#start(options) : this.#goOn(this.#id, options);
  }

  isLast(event: LoggedEvent): boolean {
    return event.type === "REPLY_END" && event.reply_id === this.#id;
  }

  /** A reply that is known to run is worth waiting for; a first contact is tried as often as any request. */
  mayRetry(failures: number): boolean | null {
    return this.#id === null ? failures <= this.#transport.settings.maxRetries : null;
  }

  #goOn(replyId: string, options: ConnectOptions): Promise<EventConnection | null> {
    return connectEvents(this.#transport, { sessionId: this.#sessionId, replyId }, options);
  }

  async #start(options: ConnectOptions): Promise<EventConnection | null> {
    const { canStream } = this.#transport;
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
      const stream = streamOf(this.#transport, answer, options);
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
