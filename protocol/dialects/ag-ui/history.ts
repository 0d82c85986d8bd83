import type { PatchOperation } from "../../json-patch.ts";
import type { StateObject } from "../../shared-state/events.ts";
import type { ActivityView } from "./activity-view.ts";

/** Data that a translation reads besides the reply's own events. All of it is in the same log. */
export interface AgUiHistory {
  /** Views of the deployment's abilities. */
  readonly activities: readonly ActivityView<unknown>[];
  /** The shared state of a version (0 is `{}`) with these patches applied, oldest first. */
  stateAt(version: number, patches: readonly (readonly PatchOperation[])[]): StateObject;
}
