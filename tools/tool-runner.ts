// All tools of a reply behind the one port that the loop knows: a composition of providers.
import type { Ability } from "../agent/ability.ts";
import type { ToolDeclaration } from "../agent/ports.ts";
import type { AgentDefinition } from "../protocol/api/agents.ts";
import type { ClientTool } from "../protocol/dialects/ag-ui/input/run-input.ts";
import { CODE_TOOLS } from "./code-tools.ts";
import type { CodeTool } from "./code.ts";
import { composeTools, offeredTools, type OpenableToolRunner } from "./compose-tools.ts";
import { abilityTools } from "./providers/ability-tools.ts";
import { clientTools } from "./providers/client-tools.ts";
import { deployedTools } from "./providers/deployed-tools.ts";
import { externalTools } from "./providers/external-tools.ts";
import { httpTools } from "./providers/http-tools.ts";
import type { ToolAccess, ToolProvider } from "./tool-provider.ts";

/** What says which tools a model may call. */
interface ToolsOfAgent extends Readonly<Pick<AgentDefinition, "tools">> {
  /** Those whose tools the model may call besides; none when left out. */
  readonly abilities?: readonly Ability[];
  /** Those that a client brought for the reply, in addition; their names are none of the agent's. */
  readonly client_tools?: readonly ClientTool[];
}

export interface ToolRunnerSettings extends ToolsOfAgent, ToolAccess {
  /** Those of this deployment when left out. */
  readonly codeTools?: readonly CodeTool[];
}

export function createToolRunner({
  outgoing,
  secrets,
  codeTools = CODE_TOOLS,
  ...agent
}: ToolRunnerSettings): OpenableToolRunner {
  const order = agent.tools.map(({ name }) => name);
  return composeTools(listProviders(agent, codeTools), order, { outgoing, secrets });
}

/** What the loop knows of a reply's tools, without what it takes to run them. */
export function declareTools(
  agent: ToolsOfAgent,
  codeTools: readonly CodeTool[] = CODE_TOOLS,
): readonly ToolDeclaration[] {
  return offeredTools(
    listProviders(agent, codeTools),
    agent.tools.map(({ name }) => name),
  );
}

/** A name that two of them have is the first one's. */
function listProviders(
  { tools, abilities = [], client_tools = [] }: ToolsOfAgent,
  codeTools: readonly CodeTool[],
): readonly ToolProvider[] {
  const codeNames = tools.filter(({ type }) => type === "code").map(({ name }) => name);
  return [
    httpTools(tools.filter((tool) => tool.type === "http")),
    externalTools(tools.filter((tool) => tool.type === "external")),
    deployedTools(codeNames, codeTools),
    abilityTools(abilities),
    clientTools(client_tools),
  ];
}
