import { useEffect, useMemo, useRef } from "react";

import { connectSession } from "../session/connect-session.ts";
import type { SessionHandle } from "../session/session-handle.ts";
import { SessionStore } from "../store/session-store.ts";
import type { SessionStoreOptions } from "../store/session-store-options.ts";
import type { RepriseOptions } from "../transport/reprise-options.ts";
import { useSessionStore, type SessionView } from "./use-session-store.ts";

/** A client that lives longer than the component, such as a `Reprise`; or the address and the credential. */
export type SessionConnection =
  | { readonly client: { session(id: string): SessionHandle } }
  | RepriseOptions;

export type UseSessionOptions = SessionConnection & SessionStoreOptions;

/**
 * One session: its conversation, the running reply word by word, the calls that wait, and functions to act.
 *
 * Another session id, client or base URL begins with a new state and ends the requests of the old one. `token` may be
 * another function with each render; of the other options those of the first render count.
 *
 * @param sessionId Null while there is no session yet: the state is `idle` and empty.
 * @throws {TypeError} when the credential or the base URL is missing.
 */
export function useSession(
  sessionId: string | null | undefined,
  options: UseSessionOptions,
): SessionView {
  const latest = useRef(options);
  useEffect(() => {
    latest.current = options;
  });
  const source = "client" in options ? options.client : options.baseUrl;
  const store = useMemo(
    () => {
      const session = sessionId ? openSession(sessionId, options, () => latest.current) : null;
      return new SessionStore(session, options);
    },
    // The others are read when they are needed, or once.
    [sessionId, source],
  );
  return useSessionStore(store);
}

function openSession(
  sessionId: string,
  options: UseSessionOptions,
  latest: () => UseSessionOptions,
): SessionHandle {
  if ("client" in options) return options.client.session(sessionId);
  if (options.token === undefined) return connectSession(sessionId, options);
  const token = () => {
    const now = latest();
    const current = "client" in now ? undefined : now.token;
    return typeof current === "function" ? current() : (current ?? "");
  };
  return connectSession(sessionId, { ...options, token });
}
