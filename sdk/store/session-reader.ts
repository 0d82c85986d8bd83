// Keeps a session's stream open: over lost connections, pauses of the network and time in the background.
import type { LoggedEvent } from "../../protocol/events.ts";
import { HEARTBEAT_MS } from "../../protocol/events/limits.ts";
import type { ConnectionState } from "../events/read-events.ts";
import { backOffMs } from "../transport/back-off.ts";
import { ConnectionError } from "../transport/connection-error.ts";
import { pause } from "../transport/pause.ts";
import { isTransient } from "../transport/transport.ts";
import { ApiError } from "../transport/api-error.ts";
import type { SessionError } from "./session-state.ts";
import { TimeSlice } from "./time-slice.ts";

export interface SessionReading {
  /** Reads the conversation, if that was not done yet. */
  load(signal: AbortSignal): Promise<void>;
  /** The events after the last one that was taken. */
  events(
    signal: AbortSignal,
    onConnectionChange: (state: ConnectionState) => void,
  ): AsyncIterable<LoggedEvent>;
  take(event: LoggedEvent, signal: AbortSignal): Promise<void>;
  onConnection(isOpen: boolean, isOffline: boolean): void;
  /** The reading has ended. `wake` begins it again after a failure of the network, `begin` after any. */
  onEnd(error: SessionError): void;
}

/** Milliseconds between two tries while the device says that it is offline, in case that it is wrong. */
const OFFLINE_RETRY_MS = 30_000;
/** Milliseconds of the longest delay between two tries. */
const MAX_DELAY_MS = 10_000;
/** Milliseconds of failures after which the reading ends until the person comes back. */
const GIVE_UP_MS = 300_000;
/** Milliseconds between two streams that ended at once, which no platform's does. */
const EMPTY_STREAM_MS = 1_000;

export class SessionReader {
  readonly #reading: SessionReading;
  /** Aborted to begin a new try at once. Null when nothing is read. */
  #attempt: AbortController | null = null;
  #isStopped = false;
  #isOffline = false;
  #isOpen = false;
  #lastSignOfLifeMs = 0;
  /** Whether the try was ended because the device will say when there is a network again. */
  #isHolding = false;
  /** Failures since the connection was open. */
  #failures = 0;
  #failingSinceMs: number | null = null;
  /** Whether the reading ended with a failure that may pass. */
  #mayWake = false;

  constructor(reading: SessionReading) {
    this.#reading = reading;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Begins to read; without effect while it reads. */
  begin(): void {
    if (this.#attempt || this.#isStopped) return;
    this.#mayWake = false;
    this.#failures = 0;
    this.#failingSinceMs = null;
    void this.#run();
  }

  /** Ends it for good: requests and streams are aborted. */
  stop(): void {
    this.#isStopped = true;
    this.#attempt?.abort();
  }

  /**
   * The person or the network is back: connects at once instead of after a delay. A connection that looks open is
   * replaced when nothing came for as long as a heartbeat takes, since a device that slept does not see that it is dead.
   */
  wake(): void {
    const isSilent = Date.now() - this.#lastSignOfLifeMs > HEARTBEAT_MS;
    if (this.#mayWake) this.begin();
    else if (this.#failingSinceMs !== null || isSilent) this.#attempt?.abort();
  }

  /** The device's report of its network. A connection is tried nevertheless: one that opens proves the device wrong. */
  setOffline(isOffline: boolean): void {
    this.#isOffline = isOffline;
    if (!isOffline) return this.wake();
    this.#reading.onConnection(this.#isOpen, true);
    this.reopen();
  }

  /** Replaces a connection that may be dead. */
  reopen(): void {
    this.#isOpen = false;
    this.#attempt?.abort();
  }

  async #run(): Promise<void> {
    while (!this.#isStopped) {
      const attempt = new AbortController();
      this.#attempt = attempt;
      try {
        await this.#read(attempt);
      } catch (error) {
        if (this.#isStopped) break;
        if (attempt.signal.aborted && !this.#isHolding) continue;
        this.#lose();
        if (!this.#isHolding && this.#isFinal(error)) {
          this.#mayWake = isTransient(error);
          this.#attempt = null;
          this.#reading.onEnd(toSessionError(error));
          return;
        }
        await this.#waitFor(error);
      }
    }
    this.#attempt = null;
  }

  async #read(attempt: AbortController): Promise<void> {
    const { signal } = attempt;
    const fromMs = Date.now();
    this.#lastSignOfLifeMs = fromMs;
    await this.#reading.load(signal);
    const onChange = (state: ConnectionState) => {
      if (signal.aborted) return;
      if (state === "open") this.#open();
      if (state !== "reconnecting") return;
      this.#lose();
      if (!this.#isOffline) return;
      this.#isHolding = true;
      attempt.abort();
    };
    const slice = new TimeSlice();
    for await (const event of this.#reading.events(signal, onChange)) {
      this.#open();
      await this.#reading.take(event, signal);
      await slice.pass();
    }
    if (Date.now() - fromMs < EMPTY_STREAM_MS) await pause(EMPTY_STREAM_MS, signal);
  }

  #open(): void {
    this.#lastSignOfLifeMs = Date.now();
    if (this.#isOpen && !this.#isOffline) return;
    this.#isOpen = true;
    this.#isOffline = false;
    this.#failures = 0;
    this.#failingSinceMs = null;
    this.#reading.onConnection(true, false);
  }

  #lose(): void {
    this.#isOpen = false;
    this.#failingSinceMs ??= Date.now();
    this.#reading.onConnection(false, this.#isOffline);
  }

  #isFinal(error: unknown): boolean {
    if (!isTransient(error)) return true;
    const failingForMs = Date.now() - (this.#failingSinceMs ?? Date.now());
    return failingForMs > GIVE_UP_MS && !this.#isOffline;
  }

  /** Until the next try is due, or `wake`. */
  async #waitFor(error: unknown): Promise<void> {
    const waiting = new AbortController();
    this.#attempt = waiting;
    this.#isHolding = false;
    this.#failures += 1;
    const delayMs = this.#isOffline
      ? OFFLINE_RETRY_MS
      : backOffMs(this.#failures, error, { maxDelayMs: MAX_DELAY_MS });
    await pause(delayMs, waiting.signal).catch(() => undefined);
  }
}

/** Errors of the SDK, unchanged; anything else is an answer that could not be read. */
export function toSessionError(error: unknown): SessionError {
  if (ApiError.isInstance(error) || ConnectionError.isInstance(error)) return error;
  return new ConnectionError(`the session could not be read: ${String(error)}`, error);
}
