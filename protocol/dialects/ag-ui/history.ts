import type { Msg } from "../../messages/messages.ts";
import type { PatchOperation, StateObject } from "../../shared-state.ts";

/** Data that a translation reads besides the reply's own events. All of it is in the same log. */
export interface AgUiHistory {
  /** The conversation before a reply's message, oldest first. */
  messagesBefore(replyId: string): readonly Msg[];
  /** The shared state of a version (0 is `{}`) with these patches applied, oldest first. */
  stateAt(version: number, patches: readonly (readonly PatchOperation[])[]): StateObject;
}
