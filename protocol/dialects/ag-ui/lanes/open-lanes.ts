import type { AgUiEvent } from "../wire/events.ts";

export type LaneKind = "text" | "reasoning" | "call" | "step";

export interface Lane {
  readonly starts: readonly AgUiEvent[];
  readonly ends: readonly AgUiEvent[];
}

/** What has begun in a run and not ended: a run may not finish before all of it has, and a reader that joins needs it. */
export class OpenLanes {
  readonly #lanes = new Map<string, Lane>();

  has(kind: LaneKind, id: string): boolean {
    return this.#lanes.has(`${kind}:${id}`);
  }

  hasStep(): boolean {
    return [...this.#lanes.values()].some(({ starts }) => starts[0]?.type === "STEP_STARTED");
  }

  /** @returns What opens it; nothing when it is open. */
  open(kind: LaneKind, id: string, lane: Lane): readonly AgUiEvent[] {
    if (this.has(kind, id)) return [];
    this.#lanes.set(`${kind}:${id}`, lane);
    return lane.starts;
  }

  /** @returns What closes it; nothing when it is not open. */
  close(kind: LaneKind, id: string): readonly AgUiEvent[] {
    const key = `${kind}:${id}`;
    const lane = this.#lanes.get(key);
    this.#lanes.delete(key);
    return lane?.ends ?? [];
  }

  /** The newest first, so that the step comes last. */
  closeAll(): AgUiEvent[] {
    const lanes = [...this.#lanes.values()].reverse();
    this.#lanes.clear();
    return lanes.flatMap(({ ends }) => ends);
  }

  /** What opens all of it once more, for a reader that was not there. */
  reopenAll(): AgUiEvent[] {
    return [...this.#lanes.values()].flatMap(({ starts }) => starts);
  }
}
