import { stateVersionOf } from "../../ag-ui-run.ts";
import type { EventOf } from "../../events.ts";
import { SHARED_STATE_UPDATED, type PatchOperation } from "../../shared-state.ts";
import type { AgUiEvent } from "./wire/events.ts";
import type { AgUiHistory } from "./history.ts";

/** The session's shared state, as the events since a reply's start change it. */
export class ReplySharedState {
  readonly #history: AgUiHistory;
  readonly #version: number;
  readonly #patches: (readonly PatchOperation[])[] = [];

  constructor(start: EventOf<"REPLY_START">, history: AgUiHistory) {
    this.#history = history;
    this.#version = stateVersionOf(start);
  }

  /** @returns The change; null when the event is none. */
  push({ name, value }: EventOf<"CUSTOM">): AgUiEvent | null {
    const { patch } = value;
    if (name !== SHARED_STATE_UPDATED || !Array.isArray(patch)) return null;
    // The log's own word for it, which nobody else can write.
    const delta = patch as readonly PatchOperation[];
    this.#patches.push(delta);
    return { type: "STATE_DELTA", delta };
  }

  /** Nothing while there is no state. */
  snapshot(): readonly AgUiEvent[] {
    if (this.#version + this.#patches.length === 0) return [];
    const snapshot = this.#history.stateAt(this.#version, this.#patches);
    return [{ type: "STATE_SNAPSHOT", snapshot }];
  }
}
