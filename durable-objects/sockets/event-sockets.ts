// The readers of events over WebSockets of one object, a session's or a room's. They hibernate: all that they need is in
// their attachments, and the pumps here are made anew by whatever wakes the object.
import { MAX_CLIENT_SUBSCRIBERS, MAX_READER_FRAMES } from "../../protocol/events/limits.ts";
import type { ErrorCode, Refusal, Result } from "../../protocol/errors.ts";
import { END_CLOSE_CODE } from "../../protocol/voice/sockets.ts";
import { MAX_READER_FRAME_BYTES } from "../../protocol/voice/limits.ts";
import {
  parseStreamCursor,
  parseStreamRequest,
  refusalResponse,
  type StreamRequest,
} from "../api/stream-request.ts";
import type { SocketReading } from "../streams/event-stream.ts";
import type { StreamCredential } from "../streams/stream-credentials.ts";
import { acceptSocket, type SocketState } from "./accept-socket.ts";
import { closeIfExpired, closeSocket } from "./close-sockets.ts";
import { pumpFrames, type FrameSource } from "./pump-frames.ts";
import { attachmentOf, isOpen, openSockets, type SocketAttachment } from "./socket-attachment.ts";

interface ReaderAttachment extends SocketAttachment {
  readonly kind: "events";
  /** The request, as {@link parseStreamRequest} reads it. */
  readonly url: string;
  /** The id of the last frame that was sent; null before the first. */
  readonly cursor: string | null;
  /** Bytes that were sent, and frames that came. */
  readonly sent: number;
  readonly heard: number;
}

/** An open session or room, as its readers need it. */
export interface EventSource {
  readonly findCredential: (request: StreamRequest) => Result<StreamCredential | null>;
  /** The stream of a request; null where nothing is left to be read. */
  readonly openStream: (
    request: StreamRequest,
    socket: SocketReading,
  ) =>
    | Result<ReadableStream<Uint8Array> | null>
    | Promise<Result<ReadableStream<Uint8Array> | null>>;
}

const TOO_MUCH = "a reader of events has nothing to say; it may send `ping`";
const SPENT = "it was sent as much as one socket is; go on with the cursor on a new one";
const UNREAD: Refusal = {
  code: "too_many_subscribers",
  detail: "earlier sockets have not read what they were sent",
};
const BROKEN = "the stream broke off; go on with the cursor";

export class EventSockets {
  readonly #state: SocketState;
  readonly #stops = new Map<WebSocket, () => void>();
  /** Sockets that were sent their share and have not answered their close: what they were sent may still lie in memory. */
  readonly #unread = new Set<WebSocket>();

  constructor(state: SocketState) {
    this.#state = state;
  }

  /** The answer to an upgrade: 101, 204 where nothing is left to be read, or a refusal. */
  async open(url: string, source: EventSource): Promise<Response> {
    if (this.#unread.size >= MAX_CLIENT_SUBSCRIBERS) return refusalResponse(UNREAD);
    const request = parseStreamRequest(url);
    const credential = source.findCredential(request);
    if (!credential.ok) return refusalResponse(credential.refusal);
    let socket: WebSocket | null = null;
    // Nothing is read before the socket is there.
    const ended = (code: ErrorCode | null) => socket && this.#end(socket, code);
    const stream = await source.openStream(request, { ended });
    if (!stream.ok) return refusalResponse(stream.refusal);
    if (!stream.value) return new Response(null, { status: 204 });
    const attachment: ReaderAttachment = {
      kind: "events",
      credential: credential.value,
      url,
      cursor: null,
      sent: 0,
      heard: 0,
    };
    const accepted = acceptSocket(this.#state, attachment);
    socket = accepted.socket;
    this.#pump(socket, { stream: stream.value, format: request.format });
    return accepted.response;
  }

  /** Goes on with the sockets that an earlier incarnation of the object has left. Contract: never rejects. */
  async resume(source: EventSource): Promise<void> {
    for (const socket of openSockets(this.#state, "events")) {
      if (this.#stops.has(socket)) continue;
      try {
        await this.#resume(socket, source);
      } catch (error) {
        this.#fail(socket, error);
      }
    }
  }

  /** A frame of a client: each wakes the object, so that there may be few. */
  heard(socket: WebSocket, message: string | ArrayBuffer): void {
    const attachment = attachmentOf<ReaderAttachment>(socket);
    if (!attachment || closeIfExpired(socket, Date.now())) return this.left(socket);
    const size = typeof message === "string" ? message.length : message.byteLength;
    const heard = attachment.heard + 1;
    socket.serializeAttachment({ ...attachment, heard });
    if (size <= MAX_READER_FRAME_BYTES && heard <= MAX_READER_FRAMES) return;
    this.#close(socket, { code: "body_too_large", detail: TOO_MUCH });
  }

  /** The socket has closed, or is being closed. */
  left(socket: WebSocket): void {
    this.#stops.get(socket)?.();
    this.#stops.delete(socket);
    this.#unread.delete(socket);
  }

  async #resume(socket: WebSocket, source: EventSource): Promise<void> {
    const attachment = attachmentOf<ReaderAttachment>(socket);
    if (!attachment) return this.#fail(socket, "it has no attachment");
    if (closeIfExpired(socket, Date.now())) return;
    const asked = parseStreamRequest(attachment.url);
    const { cursor } = attachment;
    const request = cursor === null ? asked : { ...asked, after: parseStreamCursor(cursor) };
    const ended = (code: ErrorCode | null) => this.#end(socket, code);
    const stream = await source.openStream(request, { ended });
    if (!stream.ok) return this.#close(socket, stream.refusal);
    if (!stream.value) return this.#end(socket, null);
    const { format } = request;
    this.#pump(socket, { stream: stream.value, format, sent: attachment.sent });
  }

  #pump(socket: WebSocket, source: FrameSource): void {
    const readers = () => Math.max(1, this.#stops.size + this.#unread.size);
    const stop = pumpFrames(
      { ...source, readers },
      {
        send: (frame) => socket.send(frame),
        sent: (cursor, sent) => {
          const attachment = attachmentOf<ReaderAttachment>(socket);
          if (attachment) socket.serializeAttachment({ ...attachment, cursor, sent });
        },
        spent: () => {
          this.#close(socket, { code: "unavailable", detail: SPENT });
          this.#unread.add(socket);
        },
        failed: (error) => this.#fail(socket, error),
      },
    );
    this.#stops.set(socket, stop);
    // A stream may end at once.
    if (!isOpen(socket)) this.left(socket);
  }

  /** The stream has ended: cleanly, or because of an error. */
  #end(socket: WebSocket, code: ErrorCode | null): void {
    if (code !== null) return this.#close(socket, { code, detail: DETAILS[code] ?? BROKEN });
    this.left(socket);
    if (isOpen(socket)) socket.close(END_CLOSE_CODE, "");
  }

  #fail(socket: WebSocket, error: unknown): void {
    if (!isOpen(socket)) return this.left(socket);
    console.warn("a socket's stream broke off", { error: String(error) });
    this.#close(socket, { code: "unavailable", detail: BROKEN });
  }

  #close(socket: WebSocket, refusal: Pick<Refusal, "code" | "detail">): void {
    closeSocket(socket, refusal);
    this.left(socket);
  }
}

const DETAILS: Partial<Record<ErrorCode, string>> = {
  unauthenticated: "the credential that opened it has ended",
  not_found: "it was deleted",
  too_many_subscribers: "the open streams hold large messages",
};
