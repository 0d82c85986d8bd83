// A store with a subscriber, as a page has it.
import { onTestFinished } from "vitest";

import { SessionStore, type SessionState, type SessionStoreOptions } from "@reprise/sdk/store";
import { getTextContent, type Msg, type SessionHandle } from "../../sdk/index.ts";
import { waitFor } from "../support/wait-for.ts";

export interface WatchedStore {
  readonly store: SessionStore;
  /** Every state that a subscriber was told, in order. */
  readonly states: readonly SessionState[];
  /** Resolves with the first state from now on of which this is true. */
  readonly until: (isReached: (state: SessionState) => boolean) => Promise<SessionState>;
  readonly leave: () => void;
}

/** A store in a tab of its own, with no storage unless one is given. */
export function watchStore(
  session: SessionHandle,
  options: SessionStoreOptions = {},
): WatchedStore {
  const store = new SessionStore(session, { storage: null, ...options });
  const states: SessionState[] = [];
  const leave = store.subscribe(() => states.push(store.getState()));
  onTestFinished(leave);
  return {
    store,
    states,
    leave,
    until: (isReached) =>
      waitFor(() => {
        const state = store.getState();
        if (isReached(state)) return state;
        const shown = state.messages.map((message) => textOf(message).slice(0, 60));
        throw new Error(`not yet: ${state.status} ${JSON.stringify(shown)} ${state.error}`);
      }),
  };
}

export function isIdle({ status, outgoing }: SessionState): boolean {
  return status === "idle" && outgoing.length === 0;
}

export function textOf(message: Msg | undefined): string {
  return (message && getTextContent(message)) ?? "";
}
