// Combines all tools of a reply to the one `ToolRunner` port of the loop.
import type { Ability } from "../agent/ability.ts";
import type { AgentCalls } from "../agent/agents/agent-calls.ts";
import type { ToolDeclaration } from "../agent/ports.ts";
import { namesOfTools, type AgentDefinition } from "../protocol/agents/contract.ts";
import type { ModelDefinition } from "../protocol/models/contract.ts";
import type { ClientTool } from "../protocol/dialects/ag-ui/input/run-input.ts";
import { CODE_TOOLS } from "./code-tools.ts";
import type { CodeTool } from "./code.ts";
import {
  composeTools,
  markWithheld,
  distinctTools,
  type OpenableToolRunner,
} from "./compose-tools.ts";
import { abilityTools } from "./providers/ability-tools.ts";
import { remoteQuestionTools } from "./providers/remote-question-tools.ts";
import { clientTools } from "./providers/client-tools.ts";
import type { RemoteCalls } from "./a2a/remote-calls.ts";
import type { McpServers } from "./mcp/mcp-servers-port.ts";
import { providersOf } from "./tool-kinds.ts";
import type { ToolAccess, ToolProvider } from "./tool-provider.ts";

/** The sources of the tools that a model may call. */
interface ToolsOfAgent extends Readonly<Pick<AgentDefinition, "tools">> {
  /** An agent of another system may ask for answers; left out where no reply is run. */
  readonly model?: ModelDefinition;
  /** Abilities with tools of their own; none when left out. */
  readonly abilities?: readonly Ability[];
  /** Tools that a client declared for the reply, in addition; their names differ from the agent's. */
  readonly client_tools?: readonly ClientTool[];
  /** The catalogues of MCP servers that are known; none when left out. */
  readonly mcp?: Pick<McpServers, "pins">;
  /** Left out where no reply is run. */
  readonly agents?: AgentCalls;
  /** The same. */
  readonly remote?: RemoteCalls;
}

const NO_SERVERS: Pick<McpServers, "pins"> = { pins: () => [] };

export interface ToolRunnerSettings extends ToolsOfAgent, ToolAccess {
  /** The code tools; those of this deployment when left out. */
  readonly codeTools?: readonly CodeTool[];
}

export function createToolRunner({
  outgoing,
  secrets,
  background,
  codeTools = CODE_TOOLS,
  ...agent
}: ToolRunnerSettings): OpenableToolRunner {
  const order = namesOfTools(agent.tools);
  const access: ToolAccess = { outgoing, secrets, ...(background && { background }) };
  return composeTools(listProviders(agent, codeTools), order, access, agent.abilities);
}

/** The declarations of a reply's tools, without what is needed to run them. */
export function declareTools(
  agent: ToolsOfAgent,
  codeTools: readonly CodeTool[] = CODE_TOOLS,
): readonly ToolDeclaration[] {
  const order = namesOfTools(agent.tools);
  return markWithheld(distinctTools(listProviders(agent, codeTools), order), agent.abilities ?? []);
}

/** The first provider that has a name wins. */
function listProviders(
  {
    tools,
    abilities = [],
    client_tools = [],
    mcp = NO_SERVERS,
    agents,
    remote,
    model,
  }: ToolsOfAgent,
  codeTools: readonly CodeTool[],
): readonly ToolProvider[] {
  return [
    ...providersOf(tools, {
      codeTools,
      mcp,
      ...(agents && { agents }),
      ...(remote && { remote }),
    }),
    remoteQuestionTools(model),
    abilityTools(abilities),
    clientTools(client_tools),
  ];
}
