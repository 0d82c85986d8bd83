// One conversation, by its id. Making a handle sends nothing.
import type { InterruptResult } from "../protocol/api/replies.ts";
import type { LoggedEvent } from "../protocol/events.ts";
import type { Msg } from "../protocol/messages.ts";
import type { RequestOptions } from "./api-request.ts";
import { connectEvents } from "./event-connection.ts";
import { readEvents, type StreamOptions } from "./event-reader.ts";
import { Messages, type StoredMessage } from "./messages.ts";
import { Replies } from "./replies.ts";
import { withMessageIds, type ReplyInput, type StructuredSchema } from "./reply-input.ts";
import { ReplyStream } from "./reply-stream.ts";
import type { Transport } from "./transport.ts";

export interface ReplyOptions extends StreamOptions {
  /** What to do when a reply runs or waits already; default `reject`. */
  readonly onBusy?: "reject" | "interrupt";
  /** JSON Schema of an object that the reply has to fill in; null for a text where the agent has one of its own. */
  readonly structuredSchema?: StructuredSchema | null;
}

export interface ResumeOptions extends StreamOptions {
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

export class SessionHandle {
  readonly id: string;
  readonly replies: Replies;
  readonly messages: Messages;
  readonly #transport: Transport;

  constructor(transport: Transport, id: string) {
    this.#transport = transport;
    this.id = id;
    this.replies = new Replies(transport, id);
    this.messages = new Messages(transport, id);
  }

  /**
   * Says something, and gives the answer as it comes. Nothing is sent before the answer is read.
   *
   * An input whose messages have ids that the session knows is not said again: it gets the reply that it started.
   */
  reply(
    input: ReplyInput,
    { onBusy, structuredSchema, ...options }: ReplyOptions = {},
  ): ReplyStream {
    const request = {
      input: withMessageIds(input),
      on_busy: onBusy,
      structured_schema: structuredSchema,
    };
    const source = { id: null, request, after: 0, message: null };
    return new ReplyStream(this.#transport, this.id, source, options);
  }

  /** Reads a reply that was started elsewhere, or before a reload. */
  resumeReply(
    replyId: string,
    { after = 0, message = null, ...options }: ResumeOptions = {},
  ): ReplyStream {
    const source = { id: replyId, request: null, after, message };
    return new ReplyStream(this.#transport, this.id, source, options);
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

  /** One message with its stream position; an answer's has the id of its reply. */
  message(messageId: string, options?: RequestOptions): Promise<StoredMessage> {
    return this.messages.get(messageId, options);
  }

  /** Ends the reply that runs or waits. Resolves when its end is on disk. */
  interrupt(options?: RequestOptions): Promise<InterruptResult> {
    return this.#transport.call({
      ...options,
      method: "POST",
      path: ["sessions", this.id, "interrupt"],
    });
  }
}
