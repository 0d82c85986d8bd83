import { createContext, useContext } from "react";

import type { AgentVersion } from "../../../sdk/index.ts";
import type { SessionActions, SessionStore } from "../../../sdk/react/index.ts";
import type { PageNetwork } from "./page-network.ts";

/** Context of the playground's parts. It changes with the session, not with its words. */
export interface Playground {
  readonly sessionId: string;
  /** End user of the session; null without one, and until it was read. */
  readonly endUserId: string | null;
  readonly store: SessionStore;
  readonly actions: SessionActions;
  readonly network: PageNetwork;
  /** As the session uses it; undefined until it was read. */
  readonly agent: AgentVersion | undefined;
}

export const PlaygroundContext = createContext<Playground | null>(null);

export function usePlayground(): Playground {
  const value = useContext(PlaygroundContext);
  if (!value) throw new Error("outside of a session of the playground");
  return value;
}
