import { createContext, useContext, useSyncExternalStore } from "react";

import type { Reprise, Scope } from "../../sdk/index.ts";
import type { Access, AccessState } from "./access.ts";

interface ConsoleContext {
  readonly access: Access;
  readonly reprise: Reprise;
}

export const AccessContext = createContext<ConsoleContext | null>(null);

function useConsole(): ConsoleContext {
  const value = useContext(AccessContext);
  if (!value) throw new Error("outside of the console's provider");
  return value;
}

export function useAccess(): Access {
  return useConsole().access;
}

/** The SDK, with the rights of the console's session. */
export function useReprise(): Reprise {
  return useConsole().reprise;
}

export function useAccessState(): AccessState {
  const { access } = useConsole();
  return useSyncExternalStore(access.subscribe, access.state);
}

/** Whether the console's session holds a scope. The platform decides; this leaves out what it would refuse. */
export function useMay(scope: Scope): boolean {
  const state = useAccessState();
  if (state.kind !== "signed_in") return false;
  return state.session.scopes === null || state.session.scopes.includes(scope);
}
