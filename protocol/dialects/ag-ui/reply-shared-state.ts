import { stateVersionOf } from "../../ag-ui-run.ts";
import type { EventOf } from "../../events.ts";
import { SHARED_STATE_UPDATED, type PatchOperation } from "../../shared-state.ts";
import type { AgUiEvent } from "./wire/events.ts";
import type { AgUiHistory } from "./history.ts";

/** The session's shared state, from the version at a reply's start and the changes since. */
export class ReplySharedState {
  readonly #history: AgUiHistory;
  readonly #version: number;
  readonly #patches: (readonly PatchOperation[])[] = [];

  constructor(start: EventOf<"REPLY_START">, history: AgUiHistory) {
    this.#history = history;
    this.#version = stateVersionOf(start);
  }

  /** @returns `STATE_DELTA`; null when the event changes no state. */
  push({ name, value }: EventOf<"CUSTOM">): AgUiEvent | null {
    const { patch } = value;
    if (name !== SHARED_STATE_UPDATED || !Array.isArray(patch)) return null;
    // The platform alone writes this event, so its shape is known.
    const delta = patch as readonly PatchOperation[];
    this.#patches.push(delta);
    return { type: "STATE_DELTA", delta };
  }

  /** Empty while there is no state. */
  snapshot(): readonly AgUiEvent[] {
    if (this.#version + this.#patches.length === 0) return [];
    const snapshot = this.#history.stateAt(this.#version, this.#patches);
    return [{ type: "STATE_SNAPSHOT", snapshot }];
  }
}
