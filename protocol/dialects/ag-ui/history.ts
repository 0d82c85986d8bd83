import type { Msg } from "../../messages/messages.ts";
import type { PatchOperation, StateObject } from "../../shared-state.ts";

/** What a translation has to know beyond a reply's own events. All of it stands in the same log. */
export interface AgUiHistory {
  /** The conversation before a reply's message, oldest first. */
  messagesBefore(replyId: string): readonly Msg[];
  /** The shared state of a version, 0 being `{}`, and then these patches, oldest first. */
  stateAt(version: number, patches: readonly (readonly PatchOperation[])[]): StateObject;
}
