// The answer of an agent that was called, as its session tells it and as the result of the call. Pure.
import type { ErrorInfo, Msg } from "../../protocol/messages/messages.ts";
import type { ReplyStatus, ReplySubagent } from "../../protocol/replies/contract.ts";
import type { AgentCallStep } from "./agent-calls.ts";

/** The sums of an agent and of those that it has called; the cost is null when a part of it is not known. */
export interface SubagentUsage extends Pick<
  ReplySubagent,
  "input_tokens" | "output_tokens" | "cost_usd"
> {}

export const NO_USAGE: SubagentUsage = { input_tokens: 0, output_tokens: 0, cost_usd: 0 };

export interface SubagentAnswer {
  readonly reply_id: string;
  readonly status: ReplyStatus;
  /** Its last words, or its structured output as JSON. Empty while it works. */
  readonly text: string;
  readonly error: ErrorInfo | null;
  readonly usage: SubagentUsage;
}

export function addUsage(all: readonly SubagentUsage[]): SubagentUsage {
  return all.reduce(
    (sum, one) => ({
      input_tokens: sum.input_tokens + one.input_tokens,
      output_tokens: sum.output_tokens + one.output_tokens,
      cost_usd: sum.cost_usd === null || one.cost_usd === null ? null : sum.cost_usd + one.cost_usd,
    }),
    NO_USAGE,
  );
}

export function isAtWork(status: ReplyStatus): boolean {
  return (
    status === "running" ||
    status === "awaiting_permission" ||
    status === "awaiting_external_result"
  );
}

/** The words behind the last result of a tool: what an agent says on its way is no answer. */
export function answerOf({ content, structured_output }: Msg): string {
  if (structured_output !== null) return JSON.stringify(structured_output);
  const said: string[] = [];
  for (const block of [...content].reverse()) {
    if (block.type === "tool_result" || block.type === "tool_call") break;
    if (block.type === "text") said.unshift(block.text);
  }
  return said.join("\n");
}

export function resultOfAnswer(
  { reply_id, status, text, error, usage }: SubagentAnswer,
  called: { readonly session_id: string; readonly agent_id: string },
): Extract<AgentCallStep, { type: "end" }> {
  const metadata = { subagent: { ...called, reply_id, status, usage } };
  if (status === "completed") {
    return { type: "end", state: "success", text: text || NOTHING_SAID, metadata };
  }
  const reason = reasonOf(status, error);
  return { type: "end", state: "error", text: text ? `${text}\n${reason}` : reason, metadata };
}

const NOTHING_SAID = "The agent has said nothing.";

function reasonOf(status: ReplyStatus, error: ErrorInfo | null): string {
  switch (status) {
    case "interrupted":
      return "The agent was stopped before it had finished. What it has done until then stays done.";
    case "exceed_max_iters":
      return "The agent has used up its rounds before it had finished.";
    default:
      return `The agent has failed: ${error?.message ?? "the reason is not known"}`;
  }
}
