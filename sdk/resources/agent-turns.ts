// Types for a tenant's server that gives the turns of an agent in code.
export type {
  AgentInterrupted,
  AgentTurn,
  AgentTurnAnswer,
  TurnMessage,
} from "../../protocol/agents/agent-turn.ts";
export type { HttpCodeAgent } from "../../protocol/agents/http-code-agent.ts";
export type { TurnNext } from "../../protocol/agents/turn-next.ts";
