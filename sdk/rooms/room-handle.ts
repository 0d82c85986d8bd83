// A handle of one room with the operations that a client token may use. Creating it sends no request.
import type { PostedEventInput } from "../../protocol/events/contract.ts";
import type { StreamTicket } from "../../protocol/events/stream-tickets.ts";
import type { LoggedEvent } from "../../protocol/events.ts";
import type { MessageFormat } from "../../protocol/dialects/dialects.ts";
import type { Room } from "../../protocol/rooms/contract.ts";
import type {
  RoomEventReceipt,
  RoomInputReceipt,
  RoomInputSchema,
  RoomInterruptResult,
  RoomMessageCreateSchema,
  RoomMessageReceipt,
} from "../../protocol/rooms/conversation.ts";
import { loadVoice } from "../events/load-parts.ts";
import { connectEvents } from "../events/connect-events.ts";
import { readEvents, type StreamOptions } from "../events/read-events.ts";
import type { RequestOptions } from "../transport/api-request.ts";
import type { InputOf } from "../transport/input-of.ts";
import type { FormOption, MessagesIn } from "../resources/message-forms.ts";
import type { ListQuery } from "../transport/paged.ts";
import { randomId } from "../transport/random-id.ts";
import type { RoomSpeakOptions } from "../voice/voice-options.ts";
import type { Voice } from "../voice/voice.ts";
import type { Transport } from "../transport/transport.ts";

type MessageInput = InputOf<typeof RoomMessageCreateSchema>;

export interface RoomEventsOptions extends StreamOptions {
  /** Events after this seq; from the room's first when left out. */
  readonly after?: number;
  /** Keep reading between discussions, until a minute passes without an event. */
  readonly follow?: boolean;
}

/** A message without its content, and how it is sent. */
export type SayOptions = Omit<MessageInput, "content"> & RequestOptions;

export class RoomHandle {
  readonly id: string;
  readonly #transport: Transport;
  readonly #path: readonly ["rooms", string];

  constructor(transport: Transport, id: string) {
    this.#transport = transport;
    this.id = id;
    this.#path = ["rooms", id];
  }

  get(options?: RequestOptions): Promise<Room> {
    return this.#transport.get(this.#path, options);
  }

  /**
   * Says something; resolves when it is durable. What follows is in {@link events} after the receipt's `cursor`. Sent again
   * after a lost answer it is one message.
   */
  say(content: MessageInput["content"], options: SayOptions = {}): Promise<RoomMessageReceipt> {
    const { signal, ...message } = options;
    const body = { id: randomId("msg"), ...message, content };
    return this.#post("messages", body, { signal });
  }

  /** Says something, and gives every event from it on to the end of the discussion, or until a person is waited for. */
  async *discuss(
    content: MessageInput["content"],
    options: SayOptions & StreamOptions = {},
  ): AsyncGenerator<LoggedEvent, void> {
    const { onConnectionChange, ...said } = options;
    const { cursor: after } = await this.say(content, said);
    yield* this.events({ after, signal: said.signal, onConnectionChange });
  }

  /** Every event of all participants exactly once and in order, with automatic reconnects, until nothing goes on. */
  events({ after = 0, follow, ...options }: RoomEventsOptions = {}): AsyncGenerator<
    LoggedEvent,
    void
  > {
    const range = { of: this.#path, isFollowing: follow };
    const feed = {
      connect: (connectOptions: Parameters<typeof connectEvents>[2]) =>
        connectEvents(this.#transport, range, connectOptions),
      isLast: () => false,
      isFollowing: follow,
    };
    const { reconnect } = this.#transport.settings;
    return readEvents(feed, { after, reconnect, ...options });
  }

  /**
   * Speaks in the room as one of its people, and hears its agents. A client token needs the verbs `speak` and `read`.
   *
   * @throws {ApiError} such as `voice_off` for a room without a voice.
   * @throws {TypeError} where the runtime has no WebSocket.
   */
  async speak({ participant, ...options }: RoomSpeakOptions = {}): Promise<Voice> {
    const { openVoice } = await loadVoice();
    return openVoice(this.#transport, { of: this.#path, query: { participant } }, options);
  }

  /** Newest page first; within a page, oldest message first. `name` is the speaker. */
  messages<Format extends MessageFormat = "agentscope">(
    query?: ListQuery & FormOption<Format>,
    options?: RequestOptions,
  ): MessagesIn<Format> {
    const path = [...this.#path, "messages"];
    return this.#transport.list(path, query, options) as MessagesIn<Format>;
  }

  /** An answer to a call of {@link Room.pending}: the participant is found by its `reply_id`. */
  answer(event: PostedEventInput, options?: RequestOptions): Promise<RoomEventReceipt> {
    return this.#post("events", event, options);
  }

  /** Takes a person's turn, as one of {@link Room.input_requests} asks for it. */
  input(
    input: InputOf<typeof RoomInputSchema>,
    options?: RequestOptions,
  ): Promise<RoomInputReceipt> {
    return this.#post("input", input, options);
  }

  /** @param participant Whose turn is ended; the whole discussion when left out. */
  interrupt(participant?: string, options?: RequestOptions): Promise<RoomInterruptResult> {
    return this.#post("interrupt", { participant }, options);
  }

  /**
   * A ticket for a stream of the room, for `EventSource`, which cannot send headers: open the answer's `path`.
   *
   * @param path Path and query of the stream, such as `/v1/rooms/…/events?follow=room`.
   */
  streamTicket(path: string, options?: RequestOptions): Promise<StreamTicket> {
    return this.#post("stream-tickets", { path }, { ...options, answersOnce: true });
  }

  #post<Body>(
    what: string,
    body: object,
    options?: RequestOptions & { readonly answersOnce?: true },
  ): Promise<Body> {
    const path = [...this.#path, what];
    return this.#transport.call({ ...options, method: "POST", path, body });
  }
}
