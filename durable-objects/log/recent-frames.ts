// The newest frames of a log that are on disk, still in memory: readers who wait are woken for them, and each would read
// them back from the table at once.
import type { Frame } from "./delta-form.ts";

/** UTF-16 units of the frames of a few commits; an idle session holds them, too. */
const MAX_CHARACTERS = 4_096;

export class RecentFrames {
  #frames: Frame[] = [];
  #characters = 0;

  /** Without gaps: everything behind the first of them that is on disk. */
  get frames(): readonly Frame[] {
    return this.#frames;
  }

  /** Frames that have become durable, in order. */
  add(frames: readonly Frame[]): void {
    for (const frame of frames) {
      this.#frames.push(frame);
      this.#characters += frame.text.length;
    }
    let dropped = 0;
    while (this.#characters > MAX_CHARACTERS) {
      this.#characters -= this.#frames[dropped]?.text.length ?? 0;
      dropped += 1;
    }
    if (dropped > 0) this.#frames = this.#frames.slice(dropped);
  }

  clear(): void {
    this.#frames = [];
    this.#characters = 0;
  }

  /** Whether every durable frame after the cursor is here. */
  reachTo(cursor: number): boolean {
    const [first] = this.#frames;
    return first !== undefined && first.seq <= cursor + 1;
  }
}
