import type { PatchOperation, StateObject } from "../../shared-state.ts";

/** What a translation has to know beyond a reply's own events. All of it follows from the same log. */
export interface AgUiHistory {
  /** The shared state of a version, 0 being `{}`, and then these patches, oldest first. */
  stateAt(version: number, patches: readonly (readonly PatchOperation[])[]): StateObject;
}
