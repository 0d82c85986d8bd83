// The agents that calls of a reply call, as the loop asks for them (`agent/agents/agent-calls.ts`). A call begins with a row
// alone: everything outside this object is done by `reply-children.ts`, which can do it again.
import type { AgentCalls, AgentCallStep } from "../../agent/agents/agent-calls.ts";
import { depthOf } from "../../agent/agents/inherited-bounds.ts";
import { budgetOfCall, refuseAgentCall } from "../../agent/agents/refuse-agent-call.ts";
import { isAtWork, resultOfAnswer } from "../../agent/agents/subagent-answer.ts";
import type { StopSignal, ToolCallRequest } from "../../agent/ports.ts";
import { equippedAgent } from "../../agent/tools/equipped-agent.ts";
import type { AgentTool } from "../../protocol/tools/agent-tool.ts";
import { AGENT_ANSWER_MS, AGENT_LOOK_MS } from "../../protocol/tools/limits.ts";
import { formatId, ID_RANDOM_BYTES, type IdPrefix } from "../../protocol/ids.ts";
import { withinDeadline } from "../../runtime/within-deadline.ts";
import type { SessionInit } from "../api/session-api.ts";
import { NEW_CHILD, type Child } from "../tables/child-table.ts";
import { calledStub } from "./called-stub.ts";
import { maxTokensOf } from "../settings/max-tokens-of.ts";
import type { ReplyExecution } from "./reply-execution.ts";

export function calledAgents({ context, reply, init }: ReplyExecution): AgentCalls {
  const { children } = context.tables.calls;
  return { begin, result };

  function begin(tool: AgentTool, { tool_call_id }: ToolCallRequest): AgentCallStep {
    const known = children.find(tool_call_id);
    if (known) return waitFor(known);
    const max_tokens = budgetOfCall(reply.state, isAgentOf(init), maxTokensOf(init));
    const calls = children.of(reply.id).length;
    const refused = refuseAgentCall(init, tool, { calls, max_tokens });
    if (refused !== null) return { type: "end", state: "error", text: refused };
    const nowMs = Date.now();
    const child: Child = {
      ...NEW_CHILD,
      tool_call_id,
      reply_id: reply.id,
      phase: "queued",
      look_at: nowMs,
      session_id: newIdAt("ses", nowMs),
      message_id: newIdAt("msg", nowMs),
      agent_id: tool.agent_id,
      version: tool.version ?? null,
      max_depth: depthOf(init, tool),
      max_tokens,
      called_at: nowMs,
    };
    children.put(child);
    return waitFor(child);
  }

  async function result(
    { tool_call_id }: ToolCallRequest,
    stop: StopSignal,
  ): Promise<AgentCallStep> {
    const child = children.find(tool_call_id);
    if (!child) return { type: "end", state: "error", text: LOST };
    if (child.failure !== null) return { type: "end", state: "error", text: child.failure };
    const { session_id, agent_id, message_id } = child;
    try {
      const stub = calledStub(context.env, { tenant_id: init.tenant_id, session_id });
      const asked = stub.act("readCalled", { message_id });
      const read = await withinDeadline(asked, AGENT_ANSWER_MS);
      if (!read.ok) return { type: "end", state: "error", text: GONE };
      if (!isAtWork(read.value.status)) return resultOfAnswer(read.value, { session_id, agent_id });
    } catch (error) {
      console.warn("the answer of a called agent could not be read; will retry", {
        session_id,
        error: String(error),
      });
    }
    if (!stop.aborted) {
      children.put({ ...child, phase: "working", look_at: Date.now() + AGENT_LOOK_MS });
    }
    return waitFor(child);
  }
}

function waitFor({ session_id, agent_id }: Child): AgentCallStep {
  return { type: "wait", session_id, agent_id };
}

function isAgentOf(init: SessionInit): (name: string) => boolean {
  const { tools } = equippedAgent(init);
  return (name) => tools.some((tool) => tool.type === "agent" && tool.name === name);
}

const LOST = "What was known of this agent is lost, so its outcome is unknown.";
const GONE =
  "The session of this agent was deleted before its answer was read. What it has done stays done.";

function newIdAt<Prefix extends IdPrefix>(prefix: Prefix, nowMs: number): `${Prefix}_${string}` {
  return formatId(prefix, nowMs, crypto.getRandomValues(new Uint8Array(ID_RANDOM_BYTES)));
}
