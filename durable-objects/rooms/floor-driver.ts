// Drives the floor of a room: gives it what people and agents do, and does what follows.
import { advanceFloor } from "../../agent/rooms/floor/advance-floor.ts";
import type { FloorEffect, FloorInput } from "../../agent/rooms/floor/floor-input.ts";
import {
  isSaid,
  isTaken,
  mayBeHeard,
  openFloor,
  type FloorState,
} from "../../agent/rooms/floor/floor-state.ts";

type Input = FloorInput extends infer One
  ? One extends { readonly now: number }
    ? Omit<One, "now">
    : never
  : never;

export type FloorAct = Exclude<FloorEffect, { type: "schedule" }>;

interface QueuedInput {
  readonly input: Input;
  /** Of an input of audio. */
  readonly pcm: Uint8Array | null;
}

export class FloorDriver {
  readonly #perform: (effect: FloorAct, pcm: Uint8Array | null) => void;
  #state: FloorState;
  #queue: QueuedInput[] = [];
  #isDraining = false;
  #nowMs = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param nextItem Items with lower numbers have been. */
  constructor(perform: (effect: FloorAct, pcm: Uint8Array | null) => void, nextItem: number) {
    this.#perform = perform;
    this.#state = openFloor(nextItem);
  }

  get state(): FloorState {
    return this.#state;
  }

  get isTaken(): boolean {
    return isTaken(this.#state);
  }

  get isSaid(): boolean {
    return isSaid(this.#state);
  }

  mayBeHeard(participant: string): boolean {
    return mayBeHeard(this.#state, participant);
  }

  tell(input: Input, pcm: Uint8Array | null = null): void {
    this.#queue.push({ input, pcm });
    if (this.#isDraining) return;
    this.#isDraining = true;
    try {
      for (let next = this.#queue.shift(); next; next = this.#queue.shift()) this.#step(next);
    } finally {
      this.#isDraining = false;
    }
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #step({ input, pcm }: QueuedInput): void {
    this.#nowMs = Math.max(this.#nowMs, Date.now());
    const { state, effects } = advanceFloor(this.#state, {
      ...input,
      now: this.#nowMs,
    } as FloorInput);
    this.#state = state;
    for (const effect of effects) {
      if (effect.type === "schedule") this.#schedule(effect.at_ms);
      else this.#perform(effect, pcm);
    }
  }

  /** In memory: while something is due here the lines keep the object awake. */
  #schedule(atMs: number | null): void {
    clearTimeout(this.#timer);
    if (atMs === null) return;
    const waitMs = Math.max(0, atMs - Date.now());
    this.#timer = setTimeout(() => this.tell({ type: "tick" }), waitMs);
  }
}
