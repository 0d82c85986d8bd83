import type { AgentTool } from "../../protocol/tools/agent-tool.ts";
import type { StopSignal, ToolCallRequest } from "../ports.ts";

/** The state of a call of an agent. */
export type AgentCallStep =
  /** The agent works, and the call continues when it has ended. */
  | { readonly type: "wait"; readonly session_id: string; readonly agent_id: string }
  | {
      readonly type: "end";
      readonly state: "success" | "error";
      readonly text: string;
      /** Of the result, for programs. */
      readonly metadata?: Record<string, unknown>;
    };

/** The agents that a reply calls. */
export interface AgentCalls {
  /** Notes that the call begins; the agent is called when that is on disk. The same call again is the same agent. */
  begin(tool: AgentTool, request: ToolCallRequest): AgentCallStep;
  /** Contract: never rejects; waits on while the agent's session cannot be reached. */
  result(request: ToolCallRequest, stop: StopSignal): Promise<AgentCallStep>;
}
