// A reply as a stream: its events, the message folded from them, and its end.
import { getTextContent } from "../../protocol/messages/accessors.ts";
import { appendData, isBase64Delta } from "../../protocol/fold/append-data.ts";
import { appendPlain } from "../../protocol/fold/append-plain.ts";
import type { Reply, ReplyStatus } from "../../protocol/replies/contract.ts";
import type { LoggedEvent } from "../../protocol/events.ts";
import type { Msg } from "../../protocol/messages/messages.ts";
import { omittedOf } from "../../protocol/messages/omitted.ts";
import { startMessage } from "../../protocol/fold/start-message.ts";
import type { AnswerOptions } from "../answers/call-answerer.ts";
import { readEvents, type StreamOptions } from "../events/read-events.ts";
import { loadGrowData } from "../events/load-parts.ts";
import { ReplyFeed, type ReplyOrigin } from "./reply-feed.ts";
import type { Transport } from "../transport/transport.ts";

/** The reply, and the reader's position. */
export interface ReplySource extends ReplyOrigin {
  readonly after: number;
  /** The message at position `after`. */
  readonly message: Msg | null;
}

export interface ReplyReadOptions extends StreamOptions, AnswerOptions {
  /** Keep reading while the reply waits for another client's answer, until a minute passes without an event. */
  readonly follow?: boolean;
}

/**
 * Lazy: the request is sent when it is iterated, or by {@link done} or {@link text}. Leaving the loop or aborting its
 * signal stops reading; the reply continues on the platform, and only an interrupt ends it. Iterating again resumes
 * after the last event read: do so after each answer to a reply that waited.
 */
export class ReplyStream implements AsyncIterable<LoggedEvent> {
  readonly #transport: Transport;
  readonly #sessionId: string;
  readonly #options: StreamOptions;
  readonly #feed: ReplyFeed;
  #cursor: number;
  #message: Msg | null;
  #isAtItsEnd = false;
  /** Resolves when the current iteration stops; never rejects. */
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

  /** The seq of the last event read. Store it with {@link message} to resume after a reload. */
  get cursor(): number {
    return this.#cursor;
  }

  /** The status according to the events read; null before the first. */
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
   * The message folded from the events so far, byte for byte what the platform stores. Null before `REPLY_START`.
   * Immutable: each change creates a new object, so it can be kept and compared by identity.
   */
  message(): Msg | null {
    return this.#message;
  }

  /**
   * Every event exactly once and in order, with automatic reconnects, until the reply ends or waits.
   *
   * @throws {TypeError} while another iteration is active, and after the end was read.
   */
  [Symbol.asyncIterator](): AsyncGenerator<LoggedEvent, void> {
    return this.#read();
  }

  /**
   * Resolves with the reply when it has ended or waits. Reads the events itself if there is no iteration; otherwise
   * waits for that one, so await it after the loop, not inside.
   */
  async done(): Promise<Reply> {
    /** Position of the last catch-up read, made at most once per position when the platform was ahead. */
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

  /** The platform omits the content of a very large message; the folded one is complete. */
  async #whole(reply: Reply): Promise<Reply> {
    if (!reply.message || !omittedOf(reply.message)) return reply;
    if (this.#message && !omittedOf(this.#message)) return { ...reply, message: this.#message };
    const path = ["sessions", this.#sessionId, "messages", reply.id];
    const { message } = await this.#transport.get<{ message: Msg }>(path, {
      signal: this.#options.signal,
    });
    return { ...reply, message };
  }

  /** The text of the complete answer, blocks joined by newlines; without text the JSON of its structured output, if any. */
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
    } else if (isBase64Delta(event)) {
      this.#message = appendData(this.#message, event, await loadGrowData());
    } else {
      this.#message = appendPlain(this.#message, event);
    }
    this.#cursor = event.seq;
    if (this.#feed.isLast(event)) this.#isAtItsEnd = true;
  }
}
