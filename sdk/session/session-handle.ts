// A handle of one session with the operations that a client token may use. Creating it sends no request.
import type { EventReceipt } from "../../protocol/events/contract.ts";
import type { StoredFile } from "../../protocol/files/contract.ts";
import type { InterruptResult, Reply } from "../../protocol/replies/contract.ts";
import type { Session } from "../../protocol/sessions/contract.ts";
import type { McpResourceQuery } from "../../protocol/mcp/mcp-ui.ts";
import type { StreamTicket } from "../../protocol/events/stream-tickets.ts";
import type { LoggedEvent } from "../../protocol/events.ts";
import type { Msg } from "../../protocol/messages/messages.ts";
import { omittedOf } from "../../protocol/messages/omitted.ts";
import type { AnswerOf } from "../answers/answer-each.ts";
import type { ConfirmAnswer, ToolOutput } from "../answers/answer-event.ts";
import type { RequestOptions } from "../transport/api-request.ts";
import { connectEvents } from "../events/connect-events.ts";
import { readEvents, type StreamOptions } from "../events/read-events.ts";
import type { CallsToAnswer } from "../answers/find-calls.ts";
import { loadAnswering, loadVoice } from "../events/load-parts.ts";
import { readMcpPage, type McpPage } from "../resources/mcp/mcp-page.ts";
import { memoriesAt, type MemoriesHandle } from "../resources/memories-at.ts";
import { messagesOf, type Messages } from "../resources/messages.ts";
import type { StoredMessage } from "../../protocol/sessions/contract.ts";
import { repliesOf, type Replies } from "../resources/replies.ts";
import {
  toReplyBody,
  type ReplyInput,
  type ReplyRequestOptions,
} from "../resources/reply-input.ts";
import { uploadFile, type FileContent, type UploadOptions } from "../resources/upload-file.ts";
import { ReplyStream, type ReplyReadOptions } from "./reply-stream.ts";
import type { Transport } from "../transport/transport.ts";
import type { SpeakOptions } from "../voice/voice-options.ts";
import type { Voice } from "../voice/voice.ts";

export interface ReplyOptions extends ReplyReadOptions, ReplyRequestOptions {}

export interface ResumeOptions extends ReplyReadOptions {
  /** Events after this seq; all events of the reply when left out. */
  readonly after?: number;
  /** The message at position `after`. Without it, `message()` stays null unless reading starts at 0. */
  readonly message?: Msg | null;
}

export interface EventsOptions extends StreamOptions {
  /** Events after this seq; from the session's first when left out. */
  readonly after?: number;
  /** Only events of this reply. */
  readonly replyId?: string;
  /** Keep reading between replies, until a minute passes without an event. */
  readonly follow?: boolean;
}

export interface InterruptOptions extends RequestOptions {
  /** Handling of queued replies: `keep` runs them (the default), `drop` ends them without running. */
  readonly queued?: "keep" | "drop";
}

export class SessionHandle {
  readonly id: string;
  readonly replies: Replies;
  readonly messages: Messages;
  /** Memories of the end user; a client token needs the verb `memory`. */
  readonly memories: MemoriesHandle;
  readonly #transport: Transport;

  constructor(transport: Transport, id: string) {
    this.#transport = transport;
    this.id = id;
    this.replies = repliesOf(transport, id);
    this.messages = messagesOf(transport, id);
    this.memories = memoriesAt(transport, ["sessions", id, "memories"]);
  }

  /**
   * Sends input and streams the answer. Lazy: nothing is sent before the stream is read.
   *
   * Idempotent by message id: input that the session knows gets the reply that it started.
   */
  reply(input: ReplyInput, options: ReplyOptions = {}): ReplyStream {
    const request = toReplyBody(input, options);
    const source = { id: null, request, after: 0, message: null };
    return new ReplyStream(this.#transport, this.id, source, options);
  }

  /**
   * Reads a reply that was started elsewhere, or before a reload.
   *
   * @param reply Its id; or a reply from the platform, which is resumed at its position.
   */
  resumeReply(reply: string | Reply, options: ResumeOptions = {}): ReplyStream {
    const isKnown = typeof reply !== "string" && !(reply.message && omittedOf(reply.message));
    // A message whose content was omitted cannot be folded further: read the reply from its start.
    const id = typeof reply === "string" ? reply : reply.id;
    const known = isKnown ? reply : { id, cursor: 0, message: null };
    const { after = known.cursor, message = known.message } = options;
    const source = { id: known.id, request: null, after, message };
    return new ReplyStream(this.#transport, this.id, source, options);
  }

  /**
   * Confirms or refuses waiting calls: all in one event or, when one is refused by the platform, none. The reply then
   * resumes: iterate its stream again, or use `resumeReply(receipt.reply)`.
   *
   * @param calls A reply or session (all its waiting calls), or calls or call ids.
   * @param answer Approval when left out.
   * @throws {ApiError} `confirmation_used` when another answer came first, and others: see docs/permissions.md.
   * @throws {TypeError} when none of them waits for a confirmation.
   */
  async confirm(
    calls: CallsToAnswer,
    answer: AnswerOf<ConfirmAnswer> = {},
    options?: RequestOptions,
  ): Promise<EventReceipt> {
    const { confirmCalls } = await loadAnswering();
    return confirmCalls(this.#transport, this.id, calls, answer, options);
  }

  /** Refuses waiting calls: {@link confirm} with `confirmed: false`. The model is told the reason. */
  deny(
    calls: CallsToAnswer,
    answer?: Pick<ConfirmAnswer, "reason">,
    options?: RequestOptions,
  ): Promise<EventReceipt> {
    return this.confirm(calls, { ...answer, confirmed: false }, options);
  }

  /**
   * Submits results of external calls, one for all or one each. Otherwise as {@link confirm}.
   *
   * @throws {ApiError} `call_not_pending` when the call already has a result.
   */
  async submitToolResults(
    calls: CallsToAnswer,
    result: AnswerOf<ToolOutput>,
    options?: RequestOptions,
  ): Promise<EventReceipt> {
    const { submitResults } = await loadAnswering();
    return submitResults(this.#transport, this.id, calls, result, options);
  }

  /**
   * Reads the page of an MCP server (MCP Apps), which shows the result of one of its tools: `metadata.mcp.ui` of the result
   * names it. Null for content that is no page, and must not be shown.
   *
   * @throws {ApiError} `mcp_failed` when the server does not answer as it should.
   */
  mcpPage(query: McpResourceQuery, options?: RequestOptions): Promise<McpPage | null> {
    return readMcpPage(this.#transport, this.id, query, options);
  }

  /** Every event of the session exactly once and in order, with automatic reconnects, until no reply runs. */
  events({ after = 0, replyId, follow, ...options }: EventsOptions = {}): AsyncGenerator<
    LoggedEvent,
    void
  > {
    const range = { of: ["sessions", this.id] as const, replyId, isFollowing: follow };
    const feed = {
      connect: (connectOptions: Parameters<typeof connectEvents>[2]) =>
        connectEvents(this.#transport, range, connectOptions),
      isLast: (event: LoggedEvent) => event.type === "REPLY_END" && event.reply_id === replyId,
      isFollowing: follow,
    };
    const { reconnect } = this.#transport.settings;
    return readEvents(feed, { ...options, after, reconnect });
  }

  /**
   * Speaks with the agent: opens the voice connection, which goes on over lost ones until it is closed. Listen right away:
   * what comes is told once. A client token needs the verbs `speak` and `read`.
   *
   * @throws {ApiError} such as `voice_off` for an agent without a voice, and `voice_connected` while another one is open.
   * @throws {TypeError} where the runtime has no WebSocket.
   */
  async speak(options: SpeakOptions = {}): Promise<Voice> {
    const { openVoice } = await loadVoice();
    return openVoice(this.#transport, { of: ["sessions", this.id] }, options);
  }

  /** The current session with its waiting calls. */
  get(options?: RequestOptions): Promise<Session> {
    return this.#transport.get(["sessions", this.id], options);
  }

  /** One complete message with its stream position; the message of an answer has the id of its reply. */
  message(messageId: string, options?: RequestOptions): Promise<StoredMessage> {
    return this.messages.get(messageId, options);
  }

  /**
   * A ticket for one of the session's streams, for `EventSource`, which cannot send headers: open the answer's `path`.
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

  /** Uploads a file of this session. Messages name it by the `url` of the answer. */
  uploadFile(
    content: FileContent,
    options?: Omit<UploadOptions, "sessionId">,
  ): Promise<StoredFile> {
    return uploadFile(this.#transport, content, { ...options, sessionId: this.id });
  }

  /** Ends the running or waiting reply. Resolves when its end is stored. */
  interrupt({ queued, ...options }: InterruptOptions = {}): Promise<InterruptResult> {
    return this.#transport.call({
      ...options,
      method: "POST",
      path: ["sessions", this.id, "interrupt"],
      query: { queued },
    });
  }
}
