import type { ToolGroup } from "../../protocol/tool-groups/contract.ts";
import {
  TOOL_GROUPS_CHANGED,
  type ToolGroupsChangedValue,
  type ToolSwitches,
} from "../../protocol/tool-groups/events.ts";
import type { EventDraft } from "../../protocol/events.ts";
import { isSameJson } from "../json/is-same-json.ts";
import { activeGroups, type ToolGroupsState } from "./tool-groups-state.ts";

/** The one who switches: the agent in a reply, or the credential of a person. */
type Switcher =
  | { readonly reply_id: string }
  | { readonly switched_by: NonNullable<ToolGroupsChangedValue["switched_by"]> };

/** The event of a change; null for switches that are those of before. */
export function toolGroupsEvent(
  before: ToolGroupsState,
  { groups, tools }: ToolSwitches,
  defined: readonly ToolGroup[],
  switcher: Switcher,
): EventDraft | null {
  if (isSameJson(before.groups, groups) && isSameJson(before.tools, tools)) return null;
  const activated_groups = activeGroups(defined, { groups }).map(({ name }) => name);
  const value: ToolGroupsChangedValue = {
    version: before.version + 1,
    groups,
    tools,
    activated_groups,
    ...("switched_by" in switcher && switcher),
  };
  return {
    type: "CUSTOM",
    name: TOOL_GROUPS_CHANGED,
    value: { ...value },
    ...("reply_id" in switcher && switcher),
  };
}
