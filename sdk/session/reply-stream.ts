// A reply as an app holds it: its events, the message that they have made so far, and its end.
import { getTextContent } from "../../protocol/messages/accessors.ts";
import { appendData, isDataDelta } from "../../protocol/fold/append-data.ts";
import { appendPlain } from "../../protocol/fold/append-plain.ts";
import type { Reply, ReplyStatus } from "../../protocol/api/replies.ts";
import type { LoggedEvent } from "../../protocol/events.ts";
import type { Msg } from "../../protocol/messages/messages.ts";
import { omittedOf } from "../../protocol/messages/omitted.ts";
import { startMessage } from "../../protocol/fold/start-message.ts";
import type { AnswerOptions } from "../answers/call-answerer.ts";
import { readEvents, type StreamOptions } from "../events/read-events.ts";
import { loadGrowData } from "../events/load-parts.ts";
import { ReplyFeed, type ReplyOrigin } from "./reply-feed.ts";
import type { Transport } from "../transport/transport.ts";

/** Which reply, and where its reader stands. */
export interface ReplySource extends ReplyOrigin {
  readonly after: number;
  /** The message at `after`. */
  readonly message: Msg | null;
}

export interface ReplyReadOptions extends StreamOptions, AnswerOptions {
  /** Stay while the reply waits for somebody else, until a minute has passed without an event. */
  readonly follow?: boolean;
}

/**
 * Nothing is sent before it is read: iterate it, or call {@link done} or {@link text}. Leaving the loop or aborting its
 * signal ends the reading; the reply goes on at the platform, and only an interrupt ends it. Iterated again, it goes on
 * after the last event that was read: so do it after each answer to a reply that waited.
 */
export class ReplyStream implements AsyncIterable<LoggedEvent> {
  readonly #transport: Transport;
  readonly #sessionId: string;
  readonly #options: StreamOptions;
  readonly #feed: ReplyFeed;
  #cursor: number;
  #message: Msg | null;
  #isAtItsEnd = false;
  /** Settles when whoever reads stops; never rejects. */
  #reading: Promise<void> | null = null;

  constructor(
    transport: Transport,
    sessionId: string,
    source: ReplySource,
    { tools, onConfirm, follow = false, ...options }: ReplyReadOptions,
  ) {
    this.#transport = transport;
    this.#sessionId = sessionId;
    this.#options = options;
    this.#cursor = source.after;
    this.#message = source.message;
    const answers = tools || onConfirm ? { tools, onConfirm } : null;
    this.#feed = new ReplyFeed(transport, sessionId, source, answers, follow);
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
   * @throws {TypeError} while somebody reads it, and when its end was read.
   */
  [Symbol.asyncIterator](): AsyncGenerator<LoggedEvent, void> {
    return this.#read();
  }

  /**
   * The reply when it has ended or waits, also for something else than when it was read last. Reads what nobody
   * iterates; while somebody does, waits for them, so await it after the loop and not inside.
   */
  async done(): Promise<Reply> {
    /** Where it stood when it was read on because the platform was ahead: once for each position. */
    let readTo = -1;
    for (;;) {
      if (this.#reading) await this.#reading;
      else if (!this.#isAtItsEnd) for await (const _event of this.#read());
      else {
        const path = ["sessions", this.#sessionId, "replies", this.id ?? ""];
        const { signal } = this.#options;
        const reply = await this.#transport.get<Reply>(path, { signal });
        const isBehind = reply.cursor > this.#cursor && readTo !== this.#cursor;
        if (reply.status !== "running" && !isBehind) return this.#whole(reply);
        readTo = this.#cursor;
        this.#isAtItsEnd = false;
      }
    }
  }

  /** The platform leaves the content of an outsized message out; what was read of it is whole. */
  async #whole(reply: Reply): Promise<Reply> {
    if (!reply.message || !omittedOf(reply.message)) return reply;
    if (this.#message && !omittedOf(this.#message)) return { ...reply, message: this.#message };
    const path = ["sessions", this.#sessionId, "messages", reply.id];
    const { message } = await this.#transport.get<{ message: Msg }>(path, {
      signal: this.#options.signal,
    });
    return { ...reply, message };
  }

  /** The text of the whole answer, blocks joined by newlines; empty when it has none. */
  async text(): Promise<string> {
    const { message } = await this.done();
    return (message && getTextContent(message)) ?? "";
  }

  async *#read(): AsyncGenerator<LoggedEvent, void> {
    if (this.#reading || (this.#isAtItsEnd && this.#message?.finished_reason)) {
      throw new TypeError("events are given once");
    }
    this.#isAtItsEnd = false;
    let stop: () => void = () => undefined;
    this.#reading = new Promise((resolve) => (stop = resolve));
    try {
      const { reconnect } = this.#transport.settings;
      const options = { ...this.#options, after: this.#cursor, reconnect };
      for await (const event of readEvents(this.#feed, options)) {
        await this.#take(event);
        yield event;
      }
      this.#isAtItsEnd = true;
    } finally {
      this.#reading = null;
      stop();
    }
  }

  async #take(event: LoggedEvent): Promise<void> {
    if (!this.#message) {
      if (event.type === "REPLY_START") this.#message = startMessage(event);
    } else if (isDataDelta(event)) {
      this.#message = appendData(this.#message, event, await loadGrowData());
    } else {
      this.#message = appendPlain(this.#message, event);
    }
    this.#cursor = event.seq;
    if (this.#feed.isLast(event)) this.#isAtItsEnd = true;
  }
}
