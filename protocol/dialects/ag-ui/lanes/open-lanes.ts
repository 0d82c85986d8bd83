import type { AgUiEvent } from "../wire/events.ts";

export type LaneKind = "text" | "reasoning" | "call" | "step";

export interface Lane {
  readonly starts: readonly AgUiEvent[];
  readonly ends: readonly AgUiEvent[];
}

/**
 * The lanes that are open in a run: all must be closed before the run finishes, and a joining reader gets them
 * reopened.
 */
export class OpenLanes {
  readonly #lanes = new Map<string, Lane>();

  has(kind: LaneKind, id: string): boolean {
    return this.#lanes.has(`${kind}:${id}`);
  }

  hasStep(): boolean {
    return [...this.#lanes.values()].some(({ starts }) => starts[0]?.type === "STEP_STARTED");
  }

  /** @returns The start events; none when it is open. */
  open(kind: LaneKind, id: string, lane: Lane): readonly AgUiEvent[] {
    if (this.has(kind, id)) return [];
    this.#lanes.set(`${kind}:${id}`, lane);
    return lane.starts;
  }

  /** @returns The end events; none when it is not open. */
  close(kind: LaneKind, id: string): readonly AgUiEvent[] {
    const key = `${kind}:${id}`;
    const lane = this.#lanes.get(key);
    this.#lanes.delete(key);
    return lane?.ends ?? [];
  }

  /** Newest first, so that the step is closed last. */
  closeAll(): AgUiEvent[] {
    const lanes = [...this.#lanes.values()].reverse();
    this.#lanes.clear();
    return lanes.flatMap(({ ends }) => ends);
  }

  /** The start events of all open lanes, for a joining reader. */
  reopenAll(): AgUiEvent[] {
    return [...this.#lanes.values()].flatMap(({ starts }) => starts);
  }
}
