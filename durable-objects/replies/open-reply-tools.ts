// The abilities and tools of a reply.
import type { Ability } from "../../agent/ability.ts";
import type { SessionMemory } from "../../agent/memory-store.ts";
import type { Msg } from "../../protocol/messages/messages.ts";
import type { OpenableToolRunner } from "../../tools/compose-tools.ts";
import type { McpServers } from "../../tools/mcp/mcp-servers-port.ts";
import { createToolRunner } from "../../tools/tool-runner.ts";
import { equippedAgent } from "../../agent/tools/equipped-agent.ts";
import { openAbilities } from "../settings/open-abilities.ts";
import { calledAgents } from "./called-agents.ts";
import { pushAddressOf, remoteCalls, remoteContexts } from "./remote-calls.ts";
import { skillLibrary } from "../settings/session-skills.ts";
import type { ReplyExecution, ReplyNetwork } from "./reply-execution.ts";

interface ToolSources {
  /** The messages before the reply, as its model is sent them. */
  readonly history: readonly Msg[];
  readonly mcp: McpServers;
  readonly network: ReplyNetwork;
  readonly memory: SessionMemory;
}

interface ReplyTools {
  readonly abilities: readonly Ability[];
  /** The tools have still to be loaded. */
  readonly toolRunner: OpenableToolRunner;
}

export function openTools(
  execution: ReplyExecution,
  { history, mcp, network, memory }: ToolSources,
): ReplyTools {
  const {
    context: { env, tables, settings, backgroundCalls },
    init,
    log,
  } = execution;
  const library = skillLibrary(env, init.tenant_id);
  const session = () => settings.init;
  const abilities = openAbilities(init, tables, history, session, library, memory);
  const client_tools = init.client?.tools;
  const equipped = equippedAgent(init);
  const agents = calledAgents(execution);
  // Nobody hears of what ends behind the answer of a called agent: its calls are not let go.
  const letGo = !init.parent && { background: backgroundCalls };
  const { reply } = execution;
  const remote = {
    ...remoteCalls(init, tables.calls, reply.state),
    ...remoteContexts(tables.abilities, log, reply.id),
    pushAddress: pushAddressOf(env, init, reply.id),
  };
  const sources = { abilities, client_tools, mcp, agents, remote, ...letGo };
  const toolRunner = createToolRunner({ ...equipped, ...sources, ...network });
  return { abilities, toolRunner };
}
