// The tool by which an agent equips itself: AgentScope's `reset_equipped_tools`.
import type { ToolGroup } from "../../protocol/tool-groups/contract.ts";
import { RESET_EQUIPPED_TOOLS } from "../../protocol/tool-groups/events.ts";
import type { ToolDeclaration } from "../ports.ts";

const DESCRIPTION =
  "Chooses the groups of tools that you have from now on. Set true for each group that you need: " +
  "the call replaces the choice of before, so a group that you leave out, or set to false, is put away with its tools. " +
  "Basic tools, which are in no group, are always there. The result says which groups are active, with notes on their use.";

/** The same at each call, whatever is active, so that the prompt's prefix does not change with it. */
export function metaTool(groups: readonly ToolGroup[]): ToolDeclaration {
  const properties = Object.fromEntries(
    groups.map(({ name, description }) => [name, { type: "boolean", default: false, description }]),
  );
  return {
    name: RESET_EQUIPPED_TOOLS,
    description: DESCRIPTION,
    input_schema: { type: "object", properties, additionalProperties: false },
    read_only: true,
    // Calls beside it need to know whether it is before or behind them.
    concurrency_safe: false,
    idempotent: true,
  };
}

/** The choice of a call: every group of the agent, with those that are left out put away. @param input Fits the schema. */
export function chosenGroups(
  groups: readonly ToolGroup[],
  input: unknown,
): Readonly<Record<string, boolean>> {
  const given = input as Readonly<Record<string, boolean>>;
  return Object.fromEntries(
    groups.map(({ name }) => [name, Object.hasOwn(given, name) && given[name] === true]),
  );
}
