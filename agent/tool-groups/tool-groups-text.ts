// Texts for a model about its groups of tools.
import type { ToolGroup } from "../../protocol/tool-groups/contract.ts";
import { RESET_EQUIPPED_TOOLS } from "../../protocol/tool-groups/events.ts";

/** The result of the meta tool. @param has Whether the model has a tool of an active group: people may have switched it off. */
export function describeEquipment(
  active: readonly ToolGroup[],
  has: (tool: string) => boolean,
): string {
  if (active.length === 0) return "No group of tools is active now. You have the basic tools.";
  const lines = active.map(({ name, tools }) => {
    const there = tools.filter(has);
    return `- ${name}: ${there.length > 0 ? there.join(", ") : "no tools"}`;
  });
  return [`Active groups of tools, with their tools:`, ...lines, ...notesOf(active)].join("\n");
}

/** The hint; null for none. @param isChosen Whether the model chooses: it has to know what it has chosen. */
export function equipmentHint(active: readonly ToolGroup[], isChosen: boolean): string | null {
  const notes = notesOf(active);
  const names = active.map(({ name }) => name).join(", ");
  const head = isChosen && active.length > 0 ? [`Active groups of tools: ${names}.`] : [];
  const lines = [...head, ...notes];
  return lines.length > 0 ? `<system-hint>${lines.join("\n")}</system-hint>` : null;
}

/** The answer to a call of a tool of an inactive group. */
export function inactiveText(
  tool: string,
  group: string,
  { active, hasMetaTool }: { readonly active: readonly ToolGroup[]; readonly hasMetaTool: boolean },
): string {
  const place = `The tool ${tool} is in the group ${group}, which is not active.`;
  if (!hasMetaTool) {
    return `${place} It can only be switched on from outside of this conversation: go on without it.`;
  }
  const kept = active.map(({ name }) => name).join(", ");
  const others = active.length > 0 ? `, and keep true what you still need of ${kept}` : "";
  return `${place} To have it, call ${RESET_EQUIPPED_TOOLS} with ${group} set to true${others}.`;
}

/** The answer to a call of a tool that people have switched off. */
export function switchedOffText(tool: string): string {
  return `The tool ${tool} was switched off in this session. It can only be switched on from outside of this conversation: go on without it.`;
}

function notesOf(groups: readonly ToolGroup[]): readonly string[] {
  return groups.flatMap(({ name, notes }) =>
    notes === null ? [] : [`Notes on the group ${name}:\n${notes}`],
  );
}
