import { useMemo, useSyncExternalStore } from "react";

import type { SessionActions } from "../store/session-actions.ts";
import type { SessionStore } from "../store/session-store.ts";
import type { SessionState } from "../store/session-state.ts";

/** The state of a session, and what can be done with it. The functions stay the same while the store does. */
export interface SessionView extends SessionState, SessionActions {
  /** For parts of the page that show the same session: `useSessionStore`, `useSessionValue`. */
  readonly store: SessionStore;
}

/** Shows a store that was made elsewhere, such as by a `useSession` further up. */
export function useSessionStore(store: SessionStore): SessionView {
  const state = useSyncExternalStore(store.subscribe, store.getState, store.getInitialState);
  return useMemo(() => ({ ...state, ...actionsOf(store), store }), [state, store]);
}

/**
 * One part of a session's state: renders again when that part changes, and not with each word.
 *
 * @param select Returns something that the state holds, such as `(state) => state.status`.
 */
export function useSessionValue<Value>(
  store: SessionStore,
  select: (state: SessionState) => Value,
): Value {
  return useSyncExternalStore(
    store.subscribe,
    () => select(store.getState()),
    () => select(store.getInitialState()),
  );
}

function actionsOf(store: SessionStore): SessionActions {
  const { send, retry, discard, confirm, deny, submitResult, interrupt, loadOlder, reload } = store;
  return { send, retry, discard, confirm, deny, submitResult, interrupt, loadOlder, reload };
}
