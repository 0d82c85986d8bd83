import type { AgUiCapabilities } from "../../ag-ui/ag-ui-capabilities.ts";
import type { AgentDefinition, ToolDefinition } from "../../agents/contract.ts";
import type { JsonSchema } from "../../schemas/structured-output.ts";

interface DeployedTool {
  readonly name: string;
  readonly description: string;
  readonly input_schema: JsonSchema;
}

type Item = AgUiCapabilities["tools"]["items"][number];

/**
 * @param deployed Deployed code tools: agents reference them by name only.
 * @param mayEdit Whether the caller may edit inputs when it answers.
 */
export function toCapabilities(
  agent: AgentDefinition & { readonly version: number },
  deployed: readonly DeployedTool[] = [],
  mayEdit = true,
): AgUiCapabilities {
  const maxSeconds = agent.budget?.max_seconds;
  return {
    identity: { name: agent.name, type: "reprise", version: String(agent.version) },
    transport: { streaming: true, websocket: false, httpBinary: false, resumable: true },
    tools: {
      supported: true,
      items: agent.tools.flatMap((tool) => toItem(tool, deployed)),
      parallelCalls: true,
      clientProvided: true,
    },
    output: { structuredOutput: Boolean(agent.structured_output) },
    ...multiAgent(agent.tools),
    state: { snapshots: true, deltas: true, memory: false, persistentState: true },
    reasoning: { streaming: true },
    multimodal: { input: { image: true, audio: true, video: false, pdf: true, file: false } },
    execution: {
      codeExecution: false,
      maxIterations: agent.max_iters,
      ...(maxSeconds !== undefined && { maxExecutionTime: maxSeconds * 1_000 }),
    },
    humanInTheLoop: {
      supported: true,
      approvals: true,
      interventions: false,
      feedback: false,
      interrupts: true,
      approveWithEdits: mayEdit,
    },
  };
}

/** The agents that it calls, by the names of their tools; absent for an agent that calls none. */
function multiAgent(tools: readonly ToolDefinition[]): Pick<AgUiCapabilities, "multiAgent"> {
  const subagents = tools.flatMap((tool) => {
    if (tool.type !== "agent") return [];
    const { name, description } = tool;
    return [{ name, ...(description && { description }) }];
  });
  if (subagents.length === 0) return {};
  return { multiAgent: { supported: true, delegation: true, handoffs: false, subagents } };
}

function toItem(tool: ToolDefinition, deployed: readonly DeployedTool[]): readonly Item[] {
  // The tools of an MCP server are known when a reply begins.
  if (tool.type === "mcp") return [];
  const known = tool.type === "code" ? deployed.find(({ name }) => name === tool.name) : tool;
  if (!known) return [];
  return [{ name: known.name, description: known.description, parameters: known.input_schema }];
}
