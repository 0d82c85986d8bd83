// The open streams of one object: how many there are, and the one heartbeat for all of them. Sockets count as streams do, and
// have no heartbeat, with which the object would not hibernate.
import { type ErrorCode, refuse, type Result } from "../../protocol/errors.ts";
import { KEY_STALE_MS } from "../../protocol/keys/limits.ts";
import {
  MAX_CLIENT_SUBSCRIBERS,
  MAX_FOLDED_CHARACTERS,
  MAX_TOKEN_SUBSCRIBERS,
  HEARTBEAT_MS,
  MAX_SUBSCRIBERS,
} from "../../protocol/events/limits.ts";
import { StreamCredentials, type StreamCredential } from "./stream-credentials.ts";

export interface Subscription {
  /** The stream's credential was revoked or has expired, or all streams were closed. */
  readonly isCut: boolean;
  /** Sets the approximate characters that it holds. @returns False when all streams together hold too much. */
  readonly hold: (characters: number) => boolean;
  /** Ends it; calling it twice does no harm. */
  readonly leave: () => void;
}

/** Closes sockets of the object, whether or not a stream is open for them. Must not throw. */
export interface SocketCuts {
  /** Closes those that were opened with this credential. */
  readonly cut: (credentialId: string) => void;
  readonly cutAll: (code: CutCode) => void;
}

/** Why all streams are closed. */
type CutCode = Extract<ErrorCode, "tenant_suspended" | "not_found">;

const NO_SOCKETS: SocketCuts = { cut: () => undefined, cutAll: () => undefined };

export class Subscribers {
  readonly #wake: () => void;
  readonly #sockets: SocketCuts;
  readonly #onReading: () => void;
  readonly #credentials: StreamCredentials;
  /** Revoked keys, and when: isolates of the Worker that have them cached accept them for a while. */
  readonly #cutKeys = new Map<string, number>();
  /** The beat callback of each open stream. */
  readonly #streams = new Set<() => void>();
  /** The number of streams of sockets. */
  #socketCount = 0;
  /** The number of streams that hold something, and the characters that they hold. */
  #holding = 0;
  /** The number of streams that stay open behind a reply. */
  #following = 0;
  #held = 0;
  #beats = 0;
  /** Grows when all open streams are closed. */
  #generation = 0;
  #timer: ReturnType<typeof setInterval> | null = null;

  /**
   * @param wake Wakes all waiting streams. @param onReading Called when a stream opens, and at each beat while one is
   * open.
   */
  constructor(
    wake: () => void,
    onReading: () => void = () => undefined,
    sockets: SocketCuts = NO_SOCKETS,
  ) {
    this.#wake = wake;
    this.#sockets = sockets;
    this.#onReading = onReading;
    this.#credentials = new StreamCredentials(wake);
  }

  get count(): number {
    return this.#streams.size + this.#socketCount;
  }

  /** Whether a stream is open that does not end with its reply. */
  get isFollowed(): boolean {
    return this.#following > 0;
  }

  /**
   * The refusal of one more stream; null when there is room. @param tokenId Null for a stream of an API key.
   * @param characters Approximate size of the message that it begins with.
   */
  refuseMore(tokenId: string | null, characters: number): Result<never> | null {
    const { count } = this;
    if (!this.#hasRoomFor(characters))
      return tooMany(`the ${count} open streams hold large messages`);
    if (count >= MAX_SUBSCRIBERS) return tooMany(`the session has ${count} open streams`);
    if (tokenId === null) return null;
    const own = this.#credentials.countOf(tokenId);
    if (own >= MAX_TOKEN_SUBSCRIBERS) return tooMany(`the client token has ${own} open streams`);
    const all = this.#credentials.tokenCount;
    if (all < MAX_CLIENT_SUBSCRIBERS) return null;
    return tooMany(`the client tokens of the session have ${all} open streams`);
  }

  /** Counts up every {@link HEARTBEAT_MS} while a stream is open. */
  get beats(): number {
    return this.#beats;
  }

  /**
   * @param credential What the stream was opened with; null where the Worker did not say.
   * @param onBeat Called at each beat. Must not throw. @param isFollowing It stays open behind its reply.
   */
  join(credential: StreamCredential | null, onBeat: () => void, isFollowing = false): Subscription {
    const stream = () => onBeat();
    this.#streams.add(stream);
    this.#following += Number(isFollowing);
    this.#onReading();
    this.#timer ??= setInterval(() => this.beat(), HEARTBEAT_MS);
    return this.#admit(credential, true, () => {
      this.#following -= Number(isFollowing);
      this.#streams.delete(stream);
      if (this.#streams.size > 0 || this.#timer === null) return;
      clearInterval(this.#timer);
      this.#timer = null;
    });
  }

  /** A stream of a socket, whose object may hibernate: no timer of the object is for it, and it renews no lease. */
  joinSocket(credential: StreamCredential | null): Subscription {
    this.#socketCount += 1;
    return this.#admit(credential, false, () => (this.#socketCount -= 1));
  }

  /** @param isTimed Whether a timer ends it when its credential expires. @param left Called once. */
  #admit(credential: StreamCredential | null, isTimed: boolean, left: () => void): Subscription {
    const admission = credential && this.#credentials.join(credential, isTimed);
    const generation = this.#generation;
    const isCutOff = () => generation !== this.#generation;
    let isOpen = true;
    let own = 0;
    const keep = (characters: number) => {
      this.#held += characters - own;
      this.#holding += Math.sign(characters) - Math.sign(own);
      own = characters;
    };
    return {
      get isCut() {
        return isCutOff() || (admission?.isOver ?? false);
      },
      hold: (characters) => {
        if (isOpen) keep(characters);
        return this.#hasRoomFor(0);
      },
      leave: () => {
        if (!isOpen) return;
        keep(0);
        isOpen = false;
        admission?.leave();
        left();
      },
    };
  }

  /** A single stream may hold any size. */
  #hasRoomFor(characters: number): boolean {
    const holding = this.#holding + Math.sign(characters);
    return holding < 2 || this.#held + characters <= MAX_FOLDED_CHARACTERS;
  }

  /** Closes the streams of a client token. */
  cut(tokenId: string): void {
    this.#sockets.cut(tokenId);
    this.#credentials.revoke(tokenId);
  }

  /** Closes the streams of a revoked key, and refuses new ones. */
  cutKey(keyId: string, nowMs: number): void {
    for (const [id, cutAtMs] of this.#cutKeys) {
      if (cutAtMs <= nowMs - KEY_STALE_MS) this.#cutKeys.delete(id);
    }
    this.#cutKeys.set(keyId, nowMs);
    this.#sockets.cut(keyId);
    this.#credentials.revoke(keyId);
  }

  /**
   * Whether this object knows that the key is revoked. Forgotten after the longest time for which a Worker caches keys.
   */
  isKeyCut(keyId: string): boolean {
    return this.#cutKeys.has(keyId);
  }

  /** Closes all open streams. */
  cutAll(code: CutCode = "tenant_suspended"): void {
    this.#generation += 1;
    this.#sockets.cutAll(code);
    this.#wake();
  }

  /** The timer's work: a heartbeat for all streams. */
  beat(): void {
    this.#beats += 1;
    for (const onBeat of this.#streams) onBeat();
    this.#onReading();
    this.#wake();
  }
}

function tooMany(what: string): Result<never> {
  return refuse("too_many_subscribers", `${what}; close one first`);
}
