// The way out for WebSockets: an Upgrade through the egress guard, with secrets for the hosts that they may be sent to. A
// refused upgrade is an ordinary answer, and is read as one. At most six connections of an invocation wait to be opened at
// once, requests among them: who opens a socket opens one.
import type { FailureKind } from "../protocol/diagnostics/contract.ts";
import { utf8Bytes } from "../protocol/utf8-bytes.ts";
import { readBytes } from "./body.ts";
import { failureKindOfError, failureKindOfStatus } from "./failure-kind.ts";
import { OutgoingRefused, type OutgoingFetch } from "./outgoing.ts";
import { redact } from "./redact.ts";
import type { SecretSource } from "./secret-source.ts";

/** Bytes of the answer to a refused upgrade that are read: its words are some hundred. */
const MAX_REFUSAL_BYTES = 65_536;
const NORMAL_CLOSE = 1_000;
const ABNORMAL_CLOSE = 1_006;
const TOO_BIG_CLOSE = 1_009;
/** Codes that an application may close with, beside the normal one. */
const OWN_CLOSES = { from: 3_000, to: 4_999 };

/** A failure, with the other side's words redacted and bounded. */
interface SocketFailure {
  readonly kind: FailureKind;
  readonly http_status?: number;
  readonly message?: string;
}

/** The end of a socket that was open. */
export interface SocketEnd {
  /** 1006 for one that was lost. */
  readonly code: number;
  /** Redacted and bounded. */
  readonly reason: string;
  /** A message was larger than may be; the socket is closed from here. */
  readonly is_too_large: boolean;
}

interface OutgoingSocket {
  /** The subprotocol that the other side has chosen; empty for none. */
  readonly protocol: string;
  /** @returns False once the socket is closed. There is no back pressure: who sends much counts it. */
  send(data: string | ArrayBuffer | ArrayBufferView): boolean;
  /** Nothing is told after it. */
  close(code?: number, reason?: string): void;
}

interface SocketCredential {
  readonly id: string;
  readonly source: SecretSource;
  /** The secret's place: headers, or the query for those that take it nowhere else. */
  readonly place: (secret: string) => {
    readonly headers?: Readonly<Record<string, string>>;
    readonly query?: Readonly<Record<string, string>>;
  };
}

export interface SocketRequest {
  readonly outgoing: OutgoingFetch;
  /** `wss://` or `https://`; `ws://` or `http://` to this machine, locally. */
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly protocols?: readonly string[];
  readonly credential?: SocketCredential;
  /** Milliseconds until it has to be open. */
  readonly openMs: number;
  /** Of one message. */
  readonly maxMessageBytes: number;
  /** Closes it. */
  readonly stop: AbortSignal;
  /** Told in order; bytes come as they are. */
  readonly onMessage: (data: string | ArrayBuffer) => void;
  /** Told once, and last. */
  readonly onEnd: (end: SocketEnd) => void;
}

export type OpenedSocket =
  | { readonly ok: true; readonly socket: OutgoingSocket }
  | { readonly ok: false; readonly failure: SocketFailure };

/** Contract: never rejects. Without `ok` nothing is told. */
export async function openSocket(request: SocketRequest): Promise<OpenedSocket> {
  const { outgoing, credential, protocols = [], openMs, stop } = request;
  const address = toHttp(request.url);
  if (!address) return { ok: false, failure: setup("the address is not a URL of a WebSocket") };
  const granted = credential?.source(credential.id, address.href);
  if (granted && !granted.ok) {
    return { ok: false, failure: setup(`The credential ${credential?.id} ${granted.problem}.`) };
  }
  const secrets = granted ? [granted.secret] : [];
  const placed = granted ? credential?.place(granted.secret) : undefined;
  for (const [name, value] of Object.entries(placed?.query ?? {})) {
    address.searchParams.set(name, value);
  }
  const controller = new AbortController();
  const abort = () => controller.abort();
  const timer = setTimeout(abort, openMs);
  stop.addEventListener("abort", abort, { once: true });
  try {
    if (stop.aborted) return { ok: false, failure: { kind: "connection_lost" } };
    const response = await outgoing(address, {
      headers: {
        ...request.headers,
        ...placed?.headers,
        ...(protocols.length > 0 && { "sec-websocket-protocol": protocols.join(", ") }),
        upgrade: "websocket",
      },
      signal: controller.signal,
    });
    const webSocket = socketOf(response);
    if (!webSocket) return { ok: false, failure: await readRefusal(response, secrets) };
    return { ok: true, socket: new OpenSocket(webSocket, response, request, secrets) };
  } catch (error) {
    return { ok: false, failure: failureOf(error, controller.signal.aborted, stop.aborted) };
  } finally {
    clearTimeout(timer);
    stop.removeEventListener("abort", abort);
  }
}

class OpenSocket implements OutgoingSocket {
  readonly protocol: string;
  readonly #socket: RuntimeSocket;
  readonly #request: SocketRequest;
  readonly #secrets: readonly string[];
  readonly #stop = (): void => this.close();
  #isOver = false;

  constructor(
    socket: RuntimeSocket,
    { headers }: Response,
    request: SocketRequest,
    secrets: readonly string[],
  ) {
    this.#socket = socket;
    this.#request = request;
    this.#secrets = secrets;
    this.protocol = headers.get("sec-websocket-protocol") ?? "";
    socket.addEventListener("message", ({ data }) => this.#take(data));
    socket.addEventListener("close", ({ code, reason }) => this.#end({ code, reason }));
    socket.addEventListener("error", () => this.#end({ code: ABNORMAL_CLOSE, reason: "" }));
    // Newer dates of compatibility give a Blob, which is read later than what follows it.
    socket.binaryType = "arraybuffer";
    socket.accept();
    request.stop.addEventListener("abort", this.#stop, { once: true });
    if (request.stop.aborted) this.close();
  }

  send(data: string | ArrayBuffer | ArrayBufferView): boolean {
    if (this.#isOver) return false;
    try {
      this.#socket.send(data);
      return true;
    } catch {
      return false;
    }
  }

  close(code = NORMAL_CLOSE, reason = ""): void {
    if (this.#isOver) return;
    this.#leave();
    const isOwn = code >= OWN_CLOSES.from && code <= OWN_CLOSES.to;
    this.#closeWith(isOwn ? code : NORMAL_CLOSE, reason);
  }

  #take(data: unknown): void {
    if (this.#isOver) return;
    const { maxMessageBytes, onMessage } = this.#request;
    const isText = typeof data === "string";
    if (!isText && !(data instanceof ArrayBuffer)) return;
    const bytes = isText ? utf8Bytes(data) : data.byteLength;
    if (bytes <= maxMessageBytes) onMessage(data);
    else {
      this.#end({ code: TOO_BIG_CLOSE, reason: "" }, true);
      this.#closeWith(TOO_BIG_CLOSE, "the message is too large");
    }
  }

  #end({ code, reason }: { readonly code: number; readonly reason: string }, isTooLarge = false) {
    if (this.#isOver) return;
    this.#leave();
    const end = { code, reason: redact(reason, this.#secrets), is_too_large: isTooLarge };
    this.#request.onEnd(end);
  }

  #leave(): void {
    this.#isOver = true;
    this.#request.stop.removeEventListener("abort", this.#stop);
  }

  #closeWith(code: number, reason: string): void {
    try {
      this.#socket.close(code, reason);
    } catch {
      // The socket is closed already.
    }
  }
}

/** The part of the runtime's socket that is used; other programs compile this file without the runtime's types. */
interface RuntimeSocket {
  binaryType: string;
  accept(): void;
  send(data: string | ArrayBuffer | ArrayBufferView): void;
  close(code: number, reason: string): void;
  addEventListener(type: "message", listener: (event: { readonly data?: unknown }) => void): void;
  addEventListener(
    type: "close",
    listener: (event: { readonly code: number; readonly reason: string }) => void,
  ): void;
  addEventListener(type: "error", listener: () => void): void;
}

/** Null for an answer that upgrades nothing. */
function socketOf(response: Response): RuntimeSocket | null {
  return "webSocket" in response ? (response.webSocket as RuntimeSocket | null) : null;
}

/** The address of the Upgrade, which is a request over HTTP; null for what is none. */
function toHttp(url: string): URL | null {
  if (!URL.canParse(url) || !/^(?:wss?|https?):/i.test(url)) return null;
  return new URL(url.replace(/^ws/i, "http"));
}

function setup(message: string): SocketFailure {
  return { kind: "setup", message };
}

function failureOf(error: unknown, isAborted: boolean, isStopped: boolean): SocketFailure {
  if (isStopped) return { kind: "connection_lost" };
  if (isAborted) return { kind: "timeout" };
  if (OutgoingRefused.isInstance(error)) return { kind: "egress_refused", message: error.message };
  return { kind: failureKindOfError(error, false) };
}

async function readRefusal(response: Response, secrets: readonly string[]): Promise<SocketFailure> {
  const { status } = response;
  const kind = response.ok ? "malformed_answer" : failureKindOfStatus(status);
  const message = redact(await readStart(response), secrets);
  return { kind, http_status: status, ...(message !== "" && { message }) };
}

/** As far as it can be read: the status says the most. */
async function readStart(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  try {
    for await (const piece of readBytes(response)) {
      text += decoder.decode(piece, { stream: true });
      bytes += piece.byteLength;
      if (bytes >= MAX_REFUSAL_BYTES) break;
    }
  } catch {
    // The connection was lost, or took too long.
  }
  return text;
}
