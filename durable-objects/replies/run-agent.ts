import { runCodeRemark } from "../../agent/code/run-code-remark.ts";
import { runCodeReply } from "../../agent/code/run-code-reply.ts";
import { endRun } from "../../agent/loop/end-run.ts";
import type { ReplyRun } from "../../agent/loop/reply-run.ts";
import { runRemark } from "../../agent/loop/run-remark.ts";
import { runReply } from "../../agent/loop/run-reply.ts";
import type { AgentDefinition } from "../../protocol/agents/contract.ts";
import { findCodeAgent } from "../../tools/deployed-agents.ts";

/** The model loop, or the agent's own code in its place; after an interrupt what either says about it. */
export async function runAgent(
  run: ReplyRun,
  agent: AgentDefinition,
  limit: AbortController | null,
): Promise<void> {
  const code = findCodeAgent(agent.code_agent);
  if (limit) {
    const speaker = run.served ?? code;
    return speaker?.handle_interrupt
      ? runCodeRemark(run, limit, { code: speaker, agent })
      : runRemark(run, limit);
  }
  const { code_agent } = agent;
  if (typeof code_agent !== "string") return runReply(run);
  if (code) return runReply(run, (inner) => runCodeReply(inner, code, agent));
  const message = `The agent's code ${code_agent} is not deployed any more.`;
  return endRun(run, "error", { type: "setup", message });
}
