// A reply as an app holds it: its events, the message that they have made so far, and its end.
import { appendEvent, startMessage } from "../protocol/append-event.ts";
import { getTextContent } from "../protocol/accessors.ts";
import type { Reply, ReplyStatus } from "../protocol/api/replies.ts";
import type { LoggedEvent } from "../protocol/events.ts";
import type { Msg } from "../protocol/messages.ts";
import { readEvents, type StreamOptions } from "./event-reader.ts";
import { ReplyFeed, type ReplyOrigin } from "./reply-feed.ts";
import type { Transport } from "./transport.ts";

/** Which reply, and where its reader stands. */
export interface ReplySource extends ReplyOrigin {
  readonly after: number;
  /** The message at `after`. */
  readonly message: Msg | null;
}

/**
 * Nothing is sent before it is read: iterate it, once, or call {@link done} or {@link text}. Leaving the loop or
 * aborting its signal ends the reading; the reply goes on at the platform, and only an interrupt ends it.
 */
export class ReplyStream implements AsyncIterable<LoggedEvent> {
  readonly #transport: Transport;
  readonly #sessionId: string;
  readonly #options: StreamOptions;
  readonly #feed: ReplyFeed;
  #cursor: number;
  #message: Msg | null;
  #isIterated = false;
  #isAtItsEnd = false;
  /** Settles when whoever reads stops; never rejects. */
  #reading: Promise<void> | null = null;

  constructor(
    transport: Transport,
    sessionId: string,
    source: ReplySource,
    options: StreamOptions = {},
  ) {
    this.#transport = transport;
    this.#sessionId = sessionId;
    this.#options = options;
    this.#cursor = source.after;
    this.#message = source.message;
    this.#feed = new ReplyFeed(transport, sessionId, source);
  }

  /** Null until the platform has answered. */
  get id(): string | null {
    return this.#feed.id;
  }

  /** The seq of the last event that was read. Keep it with {@link message} to go on after a reload. */
  get cursor(): number {
    return this.#cursor;
  }

  /** As far as the events tell that were read; null before the first. */
  get status(): ReplyStatus | null {
    const message = this.#message;
    if (!message) return null;
    if (message.finished_reason) return message.finished_reason;
    if (!this.#isAtItsEnd) return "running";
    const isAsking = message.content.some(
      (block) => block.type === "tool_call" && block.state === "asking",
    );
    return isAsking ? "awaiting_permission" : "awaiting_external_result";
  }

  /**
   * The message that the events so far make: what the platform stores, byte for byte. Null before `REPLY_START`.
   * Never changed, always replaced: it can be kept and compared by identity.
   */
  message(): Msg | null {
    return this.#message;
  }

  /**
   * Every event once and in order, across disconnects, until the reply ends or waits for somebody.
   *
   * @throws {TypeError} the second time.
   */
  [Symbol.asyncIterator](): AsyncGenerator<LoggedEvent, void> {
    if (this.#isIterated) {
      throw new TypeError("a reply is iterated once");
    }
    this.#isIterated = true;
    return this.#read();
  }

  /**
   * The reply when it has ended or waits. Reads what nobody iterates; while somebody does, waits for them, so await it
   * after the loop and not inside.
   */
  async done(): Promise<Reply> {
    while (!this.#isAtItsEnd) {
      if (this.#reading) await this.#reading;
      else for await (const _event of this.#read());
    }
    const path = ["sessions", this.#sessionId, "replies", this.id ?? ""];
    return this.#transport.get<Reply>(path, { signal: this.#options.signal });
  }

  /** The text of the whole answer, blocks joined by newlines; empty when it has none. */
  async text(): Promise<string> {
    const { message } = await this.done();
    return (message && getTextContent(message)) ?? "";
  }

  async *#read(): AsyncGenerator<LoggedEvent, void> {
    let stop: () => void = () => undefined;
    this.#reading = new Promise((resolve) => (stop = resolve));
    try {
      const { reconnect } = this.#transport.settings;
      const options = { ...this.#options, after: this.#cursor, reconnect };
      for await (const event of readEvents(this.#feed, options)) {
        this.#take(event);
        yield event;
      }
      this.#isAtItsEnd = true;
    } finally {
      this.#reading = null;
      stop();
    }
  }

  #take(event: LoggedEvent): void {
    this.#cursor = event.seq;
    if (this.#message) this.#message = appendEvent(this.#message, event);
    else if (event.type === "REPLY_START") this.#message = startMessage(event);
    if (this.#feed.isLast(event)) this.#isAtItsEnd = true;
  }
}
