// One conversation, by its id, with what a client token may do. Making a handle sends nothing.
import type { EventReceipt } from "../../protocol/api/events.ts";
import type { InterruptResult, Reply } from "../../protocol/api/replies.ts";
import type { Session } from "../../protocol/api/sessions.ts";
import type { StreamTicket } from "../../protocol/api/stream-tickets.ts";
import type { LoggedEvent } from "../../protocol/events.ts";
import type { Msg } from "../../protocol/messages/messages.ts";
import { omittedOf } from "../../protocol/messages/omitted.ts";
import type { AnswerOf } from "../answers/answer-each.ts";
import type { ConfirmAnswer, ToolOutput } from "../answers/answer-event.ts";
import type { RequestOptions } from "../transport/api-request.ts";
import { connectEvents } from "../events/connect-events.ts";
import { readEvents, type StreamOptions } from "../events/read-events.ts";
import type { CallsToAnswer } from "../answers/find-calls.ts";
import { loadAnswering } from "../events/load-parts.ts";
import { messagesOf, type Messages, type StoredMessage } from "../resources/messages.ts";
import { repliesOf, type Replies } from "../resources/replies.ts";
import {
  toReplyBody,
  type ReplyInput,
  type ReplyRequestOptions,
} from "../resources/reply-input.ts";
import { ReplyStream, type ReplyReadOptions } from "./reply-stream.ts";
import type { Transport } from "../transport/transport.ts";

export interface ReplyOptions extends ReplyReadOptions, ReplyRequestOptions {}

export interface ResumeOptions extends ReplyReadOptions {
  /** Events above this seq; all of the reply's when left out. */
  readonly after?: number;
  /** The message as it was at `after`. Without it, `message()` stays null unless the reading starts at 0. */
  readonly message?: Msg | null;
}

export interface EventsOptions extends StreamOptions {
  /** Events above this seq; from the session's first when left out. */
  readonly after?: number;
  /** Only this reply's. */
  readonly replyId?: string;
  /** Go on between replies, until a minute has passed without an event. */
  readonly follow?: boolean;
}

export interface InterruptOptions extends RequestOptions {
  /** What becomes of replies that wait for their turn: they go on (the default), or end without having run. */
  readonly queued?: "keep" | "drop";
}

export class SessionHandle {
  readonly id: string;
  readonly replies: Replies;
  readonly messages: Messages;
  readonly #transport: Transport;

  constructor(transport: Transport, id: string) {
    this.#transport = transport;
    this.id = id;
    this.replies = repliesOf(transport, id);
    this.messages = messagesOf(transport, id);
  }

  /**
   * Says something, and gives the answer as it comes. Nothing is sent before the answer is read.
   *
   * An input whose messages have ids that the session knows is not said again: it gets the reply that it started.
   */
  reply(input: ReplyInput, options: ReplyOptions = {}): ReplyStream {
    const request = toReplyBody(input, options);
    const source = { id: null, request, after: 0, message: null };
    return new ReplyStream(this.#transport, this.id, source, options);
  }

  /**
   * Reads a reply that was started elsewhere, or before a reload.
   *
   * @param reply Its id; or a reply as the platform gave it, which is read on from there.
   */
  resumeReply(reply: string | Reply, options: ResumeOptions = {}): ReplyStream {
    const isKnown = typeof reply !== "string" && !(reply.message && omittedOf(reply.message));
    // Nothing can be added to a message whose content was left out: it is read from its beginning.
    const id = typeof reply === "string" ? reply : reply.id;
    const known = isKnown ? reply : { id, cursor: 0, message: null };
    const { after = known.cursor, message = known.message } = options;
    const source = { id: known.id, request: null, after, message };
    return new ReplyStream(this.#transport, this.id, source, options);
  }

  /**
   * Answers calls that wait for a yes or a no, all of them in one event or, when one is refused, none. The reply then
   * goes on: iterate its stream again, or `resumeReply(receipt.reply)`.
   *
   * @param calls A reply or a session with all that it waits for, or calls or ids of calls.
   * @param answer A plain yes when left out.
   * @throws {ApiError} `confirmation_used` when another answer was first, and more: see docs/permissions.md.
   * @throws {TypeError} when none of them waits for such an answer.
   */
  async confirm(
    calls: CallsToAnswer,
    answer: AnswerOf<ConfirmAnswer> = {},
    options?: RequestOptions,
  ): Promise<EventReceipt> {
    const { confirmCalls } = await loadAnswering();
    return confirmCalls(this.#transport, this.id, calls, answer, options);
  }

  /**
   * Gives the results of external calls, one for all or each its own. Otherwise as {@link confirm}.
   *
   * @throws {ApiError} `call_not_pending` when the call has its result.
   */
  async submitToolResults(
    calls: CallsToAnswer,
    result: AnswerOf<ToolOutput>,
    options?: RequestOptions,
  ): Promise<EventReceipt> {
    const { submitResults } = await loadAnswering();
    return submitResults(this.#transport, this.id, calls, result, options);
  }

  /** Every event of the session once and in order, across disconnects, until nothing runs. */
  events({ after = 0, replyId, follow, ...options }: EventsOptions = {}): AsyncGenerator<
    LoggedEvent,
    void
  > {
    const range = { sessionId: this.id, replyId, isFollowing: follow };
    const feed = {
      connect: (connectOptions: Parameters<typeof connectEvents>[2]) =>
        connectEvents(this.#transport, range, connectOptions),
      isLast: (event: LoggedEvent) => event.type === "REPLY_END" && event.reply_id === replyId,
      isFollowing: follow,
    };
    const { reconnect } = this.#transport.settings;
    return readEvents(feed, { ...options, after, reconnect });
  }

  /** The session as it is at this moment, with what it waits for. */
  get(options?: RequestOptions): Promise<Session> {
    return this.#transport.get(["sessions", this.id], options);
  }

  /** One message, whole, with its stream position; an answer's has the id of its reply. */
  message(messageId: string, options?: RequestOptions): Promise<StoredMessage> {
    return this.messages.get(messageId, options);
  }

  /**
   * A ticket for one of the session's streams, for `EventSource`, which sends no headers: the answer's `path` opens it.
   *
   * @param path Path and query of the stream, such as `/v1/sessions/…/events?follow=session`.
   */
  streamTicket(path: string, options?: RequestOptions): Promise<StreamTicket> {
    return this.#transport.call({
      ...options,
      method: "POST",
      path: ["sessions", this.id, "stream-tickets"],
      body: { path },
      answersOnce: true,
    });
  }

  /** Ends the reply that runs or waits. Resolves when its end is on disk. */
  interrupt({ queued, ...options }: InterruptOptions = {}): Promise<InterruptResult> {
    return this.#transport.call({
      ...options,
      method: "POST",
      path: ["sessions", this.id, "interrupt"],
      query: { queued },
    });
  }
}
