import { stateVersionOf } from "../../ag-ui-run.ts";
import type { EventOf } from "../../events.ts";
import { abilityStateOf, type AbilityStateValue } from "../../ability-state.ts";
import {
  SHARED_STATE,
  SHARED_STATE_UPDATED,
  type PatchOperation,
  type StateObject,
} from "../../shared-state.ts";
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
  push(event: EventOf<"CUSTOM">): AgUiEvent | null {
    const { name, value } = event;
    const snapshot = abilityStateOf(event);
    if (snapshot?.ability === SHARED_STATE) return this.#replace(snapshot);
    const { patch } = value;
    if (name !== SHARED_STATE_UPDATED || !Array.isArray(patch)) return null;
    // The log's own word for it, which nobody else can write.
    const delta = patch as readonly PatchOperation[];
    this.#patches.push(delta);
    return { type: "STATE_DELTA", delta };
  }

  /** A snapshot in the log begins a session, before any reply; one that comes later replaces all there was. */
  #replace({ state: versioned }: AbilityStateValue): AgUiEvent {
    const { state } = versioned as { readonly state: StateObject };
    this.#patches.push([{ op: "replace", path: "", value: state }]);
    return { type: "STATE_SNAPSHOT", snapshot: state };
  }

  /** Nothing while there is no state. */
  snapshot(): readonly AgUiEvent[] {
    if (this.#version + this.#patches.length === 0) return [];
    const snapshot = this.#history.stateAt(this.#version, this.#patches);
    return [{ type: "STATE_SNAPSHOT", snapshot }];
  }
}
