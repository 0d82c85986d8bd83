// The clock of a voice connection. A time that is near, or comes while the provider is connected, is waited for in memory; for
// one that is far the object may sleep, and its alarm wakes it.
import { VOICE_TIMER, type Timers } from "../tables/timers.ts";

/** An object sleeps when nothing happens for so long. */
const NEAR_MS = 10_000;

export class VoiceTimer {
  readonly #timers: Pick<Timers, "set" | "clear">;
  readonly #ring: () => void;
  #atMs: number | null = null;
  #mayBeFar = false;
  /** Whether that time has not been told of. */
  #isWaiting = false;
  #near: ReturnType<typeof setTimeout> | null = null;
  /** When the alarm wakes the object for it; null for never. */
  #alarmMs: number | null = null;

  constructor(timers: Pick<Timers, "set" | "clear">, ring: () => void) {
    this.#timers = timers;
    this.#ring = ring;
  }

  /** @param mayBeFar Nothing but this keeps the object awake. */
  set(atMs: number | null, mayBeFar: boolean): void {
    if (this.#isWaiting && atMs === this.#atMs && mayBeFar === this.#mayBeFar) return;
    this.#atMs = atMs;
    this.#mayBeFar = mayBeFar;
    this.#isWaiting = atMs !== null;
    if (this.#near !== null) clearTimeout(this.#near);
    this.#near = null;
    if (atMs === null) return;
    const waitMs = Math.max(0, atMs - Date.now());
    if (mayBeFar && waitMs > NEAR_MS) return this.#setAlarm(atMs);
    this.#near = setTimeout(() => this.ring(), waitMs);
  }

  /** The time has come, or the alarm is early. */
  ring(): void {
    const isEarly = this.#atMs !== null && this.#atMs > Date.now();
    this.#alarmMs = null;
    this.#isWaiting = false;
    if (isEarly) this.set(this.#atMs, true);
    else this.#ring();
  }

  stop(): void {
    this.set(null, false);
  }

  clearAlarm(): void {
    if (this.#alarmMs !== null) this.#timers.clear(VOICE_TIMER);
    this.#alarmMs = null;
  }

  /** An alarm that is sooner stays, so that a time that moves with each frame is not written each time. */
  #setAlarm(atMs: number): void {
    if (this.#alarmMs !== null && this.#alarmMs <= atMs) return;
    this.#alarmMs = atMs;
    this.#timers.set(VOICE_TIMER, atMs);
  }
}
