// Checks of every run that changes something.
import type { AgentDefinition } from "../../protocol/agents/contract.ts";
import { mayBeOfServer, namesOfTools, RESERVED_TOOL_NAMES } from "../../protocol/tools/contract.ts";
import type { ClientTool } from "../../protocol/dialects/ag-ui/input/run-input.ts";
import { RESET_EQUIPPED_TOOLS } from "../../protocol/tool-groups/events.ts";
import { MEMORY_TOOLS } from "../../protocol/memory/events.ts";
import { refuse, type Result } from "../../protocol/errors.ts";
import { planToolNames } from "../../protocol/plans/events.ts";
import { READ_SKILL_TOOL } from "../../protocol/skills/skill.ts";

/** Tools are found by name: a client's tools must not have a name of the agent's or the session's own, nor one name twice. */
export function refuseToolNames(
  {
    tools: own,
    plan,
    meta_tool,
    skills = [],
    memory,
  }: Pick<AgentDefinition, "tools" | "plan" | "meta_tool" | "skills" | "memory">,
  tools: readonly ClientTool[],
): Result<never> | null {
  const taken = new Set<string>([
    ...namesOfTools(own),
    ...RESERVED_TOOL_NAMES,
    ...(plan ? planToolNames(plan) : []),
    ...(meta_tool ? [RESET_EQUIPPED_TOOLS] : []),
    ...(skills.length > 0 ? [READ_SKILL_TOOL] : []),
    ...(memory ? MEMORY_TOOLS : []),
  ]);
  for (const [index, { name }] of tools.entries()) {
    // The tools that an agent's servers offer are not known yet.
    if (taken.has(name) || mayBeOfServer(own, name)) {
      const detail = `the name ${name} is another tool's; give this one a name of its own`;
      const errors = [{ pointer: `#/tools/${index}/name`, detail }];
      return refuse("validation_failed", detail, { errors });
    }
    taken.add(name);
  }
  return null;
}
