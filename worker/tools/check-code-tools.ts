import type { AgentUpdate } from "../../protocol/agents/contract.ts";
import { CODE_TOOLS } from "../../tools/code-tools.ts";
import type { CodeTool } from "../../tools/code.ts";
import { HttpError } from "../http-error.ts";

/** Refuses an agent that names a code tool that this deployment lacks. Checks only the members that a change sets. */
export function checkCodeTools(
  { tools = [] }: Pick<AgentUpdate, "tools">,
  deployed: readonly CodeTool[] = CODE_TOOLS,
): void {
  const names = new Set(deployed.map(({ name }) => name));
  const errors = tools.flatMap((tool, index) => {
    if (tool.type !== "code" || names.has(tool.name)) return [];
    const detail = `this platform was deployed without a tool named ${tool.name}`;
    return [{ pointer: `#/tools/${index}/name`, detail }];
  });
  if (errors.length === 0) return;
  const detail = "the agent names code tools that are not deployed; see `errors`";
  throw new HttpError("validation_failed", detail, { errors });
}
