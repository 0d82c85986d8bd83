import { stateVersionOf } from "../../ag-ui/ag-ui-run.ts";
import type { EventOf } from "../../events.ts";
import { abilityStateOf, type AbilityStateValue } from "../../ability-state.ts";
import { SHARED_STATE, SHARED_STATE_UPDATED, type StateObject } from "../../shared-state/events.ts";
import type { PatchOperation } from "../../json-patch.ts";
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

  /** @returns `STATE_DELTA` or `STATE_SNAPSHOT`; null when the event changes no state. */
  push(event: EventOf<"CUSTOM">): AgUiEvent | null {
    const { name, value } = event;
    const snapshot = abilityStateOf(event);
    if (snapshot?.ability === SHARED_STATE) return this.#replace(snapshot);
    const { patch } = value;
    if (name !== SHARED_STATE_UPDATED || !Array.isArray(patch)) return null;
    // The platform alone writes this event, so its shape is known.
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

  /** Empty while there is no state. */
  snapshot(): readonly AgUiEvent[] {
    if (this.#version + this.#patches.length === 0) return [];
    const snapshot = this.#history.stateAt(this.#version, this.#patches);
    return [{ type: "STATE_SNAPSHOT", snapshot }];
  }
}
