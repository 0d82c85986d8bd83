// One socket to a realtime provider, with JSON frames in text or in bytes. A provider that hangs, floods or sends what is no
// frame is left, with a named failure. Secrets are in none of them.
import type { FailureReport } from "../../../agent/failure-report.ts";
import type { StopSignal } from "../../../agent/ports.ts";
import { credentialError } from "../../../agent/state/model-error.ts";
import { openSocket, type OpenedSocket } from "../../../outgoing/open-socket.ts";
import type { OutgoingFetch } from "../../../outgoing/outgoing.ts";
import { redact } from "../../../outgoing/redact.ts";
import type { SecretSource } from "../../../outgoing/secret-source.ts";
import type { ErrorInfo } from "../../../protocol/messages/messages.ts";
import { isSendable } from "../../stream/is-sendable.ts";
import { parseStreamEvent } from "../../stream/stream-event.ts";
import { FloodGate } from "./flood-gate.ts";
import {
  failureOfEnd,
  failureOfRefusal,
  providerFailure,
  type ProviderFailure,
} from "./provider-failure.ts";
import { SOCKET_LIMITS, type SocketLimits } from "./socket-limits.ts";

/** A frame as it was parsed: an object, of which nothing else is known. */
export type ProviderFrame = Readonly<Record<string, unknown>>;

export interface ProviderSocketRequest {
  readonly outgoing: OutgoingFetch;
  readonly secrets: SecretSource;
  readonly credentialId: string | undefined;
  /** `https`, without a secret. */
  readonly url: string;
  /** The secret's place in the request that opens the socket. */
  readonly place: (secret: string) => {
    readonly headers?: Readonly<Record<string, string>>;
    readonly query?: Readonly<Record<string, string>>;
  };
  readonly headers?: Readonly<Record<string, string>>;
  readonly protocols?: readonly string[];
  readonly limits?: Partial<SocketLimits>;
  readonly stop: StopSignal;
  /** Told in order, one after the other. */
  readonly onFrame: (frame: ProviderFrame) => void;
  /** Told once, and last: the socket is gone. Not after {@link ProviderSocket.close} or `stop`. */
  readonly onEnd: (failure: ProviderFailure) => void;
}

export interface ProviderSocket {
  /** A socket that is gone takes nothing. */
  send(frame: object): void;
  /** The provider has to send a frame within `readyMs`, or else within `silenceMs`, and so on until {@link rest}. */
  expect(wait: "ready" | "response"): void;
  /** Nothing is expected: silence may last. */
  rest(): void;
  /** The provider's words without the secret, bounded, on one line. */
  redact(text: string): string;
  close(): void;
  /** Ends it for a reason of the adapter's own: `onEnd` is told of it. */
  fail(failure: ProviderFailure): void;
}

export type OpenedProvider =
  | { readonly ok: true; readonly socket: ProviderSocket }
  | { readonly ok: false; readonly error: ErrorInfo; readonly report: FailureReport };

/** Contract: never rejects. Without `ok` nothing is told. */
export async function openProviderSocket(request: ProviderSocketRequest): Promise<OpenedProvider> {
  const { outgoing, secrets, credentialId, place, url, headers, protocols, stop } = request;
  const limits = { ...SOCKET_LIMITS, ...request.limits };
  const guarded = new SecretHolder(secrets);
  const granted = credentialId === undefined ? null : guarded.source(credentialId, url);
  if (granted && !granted.ok && credentialId !== undefined) {
    const { type, problem } = granted;
    const error = credentialError(type, credentialId, problem);
    return { ok: false, error, report: { kind: "setup", message: error.message } };
  }
  const controller = new AbortController();
  const abort = () => controller.abort();
  if (stop.aborted) abort();
  else stop.addEventListener("abort", abort, { once: true });
  const live = new LiveSocket(request, limits, (text) => guarded.redact(text));
  const opened = await openSocket({
    outgoing,
    url,
    ...(headers && { headers }),
    ...(protocols && { protocols }),
    ...(credentialId !== undefined && {
      credential: { id: credentialId, source: guarded.source, place },
    }),
    openMs: limits.openMs,
    maxMessageBytes: limits.messageBytes,
    stop: controller.signal,
    onMessage: (data) => live.take(data),
    onEnd: (end) => live.end(failureOfEnd(end)),
  });
  if (!opened.ok) {
    stop.removeEventListener("abort", abort);
    return { ok: false, ...failureOfRefusal(opened.failure) };
  }
  live.attach(opened.socket, () => stop.removeEventListener("abort", abort));
  if (stop.aborted) live.close();
  return { ok: true, socket: live };
}

/** The secret, as far as it may be sent. A secret that is no value of a header is no secret of a provider's. */
class SecretHolder {
  readonly #secrets: SecretSource;
  readonly #given = new Set<string>();

  constructor(secrets: SecretSource) {
    this.#secrets = secrets;
  }

  readonly source: SecretSource = (id, address) => {
    const granted = this.#secrets(id, address);
    if (!granted.ok) return granted;
    if (!isSendable(granted.secret)) return UNSENDABLE;
    this.#given.add(granted.secret);
    return granted;
  };

  redact(text: string): string {
    return redact(text, [...this.#given]);
  }
}

const UNSENDABLE = {
  ok: false,
  type: "setup",
  problem: "has characters that cannot be sent",
} as const;
const DECODER = new TextDecoder();

type Attached = Extract<OpenedSocket, { ok: true }>["socket"];

class LiveSocket implements ProviderSocket {
  readonly #request: ProviderSocketRequest;
  readonly #limits: SocketLimits;
  readonly #gate: FloodGate;
  readonly redact: (text: string) => string;
  #socket: Attached | null = null;
  #leave: () => void = () => undefined;
  #isOver = false;
  #wait: "ready" | "response" | null = null;
  #heardAtMs = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    request: ProviderSocketRequest,
    limits: SocketLimits,
    redactText: (text: string) => string,
  ) {
    this.#request = request;
    this.#limits = limits;
    this.#gate = new FloodGate(limits, () => Date.now());
    this.redact = redactText;
  }

  attach(socket: Attached, leave: () => void): void {
    this.#socket = socket;
    this.#leave = leave;
    if (this.#isOver) this.#close();
  }

  send(frame: object): void {
    if (!this.#isOver) this.#socket?.send(JSON.stringify(frame));
  }

  expect(wait: "ready" | "response"): void {
    if (this.#isOver) return;
    this.#wait = wait;
    this.#heardAtMs = Date.now();
    this.#watch(this.#allowedMs());
  }

  rest(): void {
    this.#wait = null;
    clearTimeout(this.#timer);
  }

  close(): void {
    if (this.#isOver) return;
    this.#over();
    this.#close();
  }

  fail(failure: ProviderFailure): void {
    this.end(failure);
    this.#close();
  }

  take(data: string | ArrayBuffer): void {
    if (this.#isOver) return;
    this.#heardAtMs = Date.now();
    const isText = typeof data === "string";
    // Bytes of a text as they are counted here: its characters, of which base64 is the most.
    if (!this.#gate.passes(isText ? data.length : data.byteLength)) {
      return this.fail(providerFailure("too_large", { code: "flood" }));
    }
    const frame = parseStreamEvent(isText ? data : DECODER.decode(data));
    if (!frame) return this.fail(providerFailure("malformed_answer"));
    this.#request.onFrame(frame);
  }

  end(failure: ProviderFailure): void {
    if (this.#isOver) return;
    this.#over();
    this.#request.onEnd(failure);
  }

  #over(): void {
    this.#isOver = true;
    this.rest();
    this.#leave();
  }

  #close(): void {
    this.#socket?.close();
  }

  #allowedMs(): number {
    return this.#wait === "ready" ? this.#limits.readyMs : this.#limits.silenceMs;
  }

  /** One timer, set anew for what is left of the time, instead of one a frame. */
  #watch(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      const leftMs = this.#heardAtMs + this.#allowedMs() - Date.now();
      if (leftMs > 0) this.#watch(leftMs);
      else this.fail(providerFailure(this.#wait === "ready" ? "timeout" : "stalled"));
    }, ms);
  }
}
