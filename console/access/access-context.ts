import { createContext, useContext, useSyncExternalStore } from "react";

import type { ConsoleAccess, OperatorRight, Reprise, Scope } from "../../sdk/index.ts";
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

/** A scope of a tenant's console, or a right of the operator's. */
export type Right = Scope | OperatorRight;

/**
 * The rights of a session: scopes in a tenant's console, the operator's rights in its own. Null is all of them: a platform
 * of an earlier release, which has no rights of the operator's people, names none.
 */
export function rightsOf({ scopes, rights }: ConsoleAccess["session"]): readonly string[] | null {
  return rights ?? scopes;
}

/** Whether these are all rights, or have one of this name. */
export function includesRight(rights: readonly string[] | null, right: string): boolean {
  return rights === null || rights.includes(right);
}

/** Whether the console's session holds a right. The platform decides; this leaves out what it would refuse. */
export function useMay(right: Right): boolean {
  const state = useAccessState();
  return state.kind === "signed_in" && includesRight(rightsOf(state.session), right);
}
