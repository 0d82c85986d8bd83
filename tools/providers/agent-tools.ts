import type { AgentCalls, AgentCallStep } from "../../agent/agents/agent-calls.ts";
import type { ToolChunk, ToolDeclaration } from "../../agent/ports.ts";
import type { AgentTool } from "../../protocol/tools/agent-tool.ts";
import { failure } from "../answer-shape.ts";
import { NOT_SENT, type ToolKindOf } from "../tool-kind.ts";
import type { ToolProvider } from "../tool-provider.ts";

/** Agents of the same tenant. Each call is a session of its own, for which the reply waits. */
export const AGENT_KIND: ToolKindOf<"agent"> = {
  provide: (tools, { agents }) => agentTools(tools, agents ?? null),
  async check({ agent_id, version }, { findAgent }) {
    const name = await findAgent(agent_id, version);
    if (name !== null) {
      const note = `It is the agent ${name}: nothing is asked of it.`;
      return { ...NOT_SENT, status: "ok", note, hint: null };
    }
    const note = "The agent, or its version, does not exist any more.";
    const hint = "Leave it out, or name another one.";
    return { ...NOT_SENT, status: "failed", kind: "not_found", note, hint };
  },
};

function agentTools(definitions: readonly AgentTool[], calls: AgentCalls | null): ToolProvider {
  const byName = new Map(definitions.map((tool) => [tool.name, tool]));
  return {
    tools: definitions.map(declareAgent),
    returnsUntrusted: true,
    owns: (name) => byName.has(name),
    async *run(request, stop) {
      const tool = byName.get(request.name);
      if (!tool || !calls) {
        yield* failure(`${request.name} is an agent, which a reply alone can call.`);
        return;
      }
      const step = request.hasTask ? await calls.result(request, stop) : calls.begin(tool, request);
      if (!stop.aborted) yield* chunksOf(step);
    },
  };
}

function* chunksOf(step: AgentCallStep): Generator<ToolChunk, void> {
  if (step.type === "wait") {
    const { session_id, agent_id } = step;
    yield { type: "subagent", session_id, agent_id };
    return;
  }
  yield { type: "text", delta: step.text };
  yield { type: "end", state: step.state, metadata: step.metadata };
}

function declareAgent({
  type: _type,
  agent_id: _agent,
  version: _version,
  allow_recursion: _recursion,
  max_depth: _depth,
  ...declared
}: AgentTool): ToolDeclaration {
  // The same call again is the same session.
  return { ...declared, idempotent: true };
}
