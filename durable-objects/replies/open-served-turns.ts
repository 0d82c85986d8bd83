// An agent in code over HTTP, for one execution of a reply.
import type { ServedTurns } from "../../agent/loop/reply-run.ts";
import type { Model, StopSignal } from "../../agent/ports.ts";
import { createHttpAgentModel } from "../../model/http-agent/http-agent-model.ts";
import type { AgentMethod, ServedReply } from "../../model/http-agent/turn-request.ts";
import { MAX_INTERRUPT_REMARK_CHARACTERS } from "../../protocol/replies/limits.ts";
import { httpAgentOf, prepareTurn } from "../../tools/agents/http-agent.ts";
import type { ReplyExecution, ReplyNetwork } from "./reply-execution.ts";
import type { Models } from "./spoken-replies.ts";

/** @param saying Puts the reply's hooks, and its voice, around models. */
export function openServedTurns(
  { init, log }: Pick<ReplyExecution, "init" | "log">,
  { outgoing, secrets }: ReplyNetwork,
  saying: (models: Models) => Models,
): ServedTurns | undefined {
  const definition = httpAgentOf(init.agent.code_agent);
  if (!definition) return undefined;
  const { session_id, end_user_id, agent_id, agent_version, agent } = init;
  const reply: ServedReply = {
    session_id,
    reply_id: log.state.message.id,
    end_user_id,
    agent: { id: agent_id, version: agent_version, name: agent.name, metadata: agent.metadata },
    turn: () => log.state.completed_turns.length + 1,
    structuredSchema: () => log.state.structured_schema,
  };
  const prepare = (id: string, body: string) => prepareTurn(definition, { id, body, secrets });
  const ask = (method: AgentMethod): Model =>
    createHttpAgentModel({ definition, method, reply, outgoing, prepare });
  const [model] = saying([ask("reply")]);
  const words = ({ stop }: { readonly stop: StopSignal }): Promise<string> => {
    const { message } = log.state;
    const request = { system_prompt: agent.system_prompt, messages: [message], tools: [] };
    return textOf(ask("handle_interrupt").stream(request, stop));
  };
  const isOpen = definition.on_failure === "open";
  return { model, isOpen, ...(definition.handle_interrupt && { handle_interrupt: words }) };
}

/** Rejects where the server has not answered with a turn. */
async function textOf(chunks: ReturnType<Model["stream"]>): Promise<string> {
  let text = "";
  for await (const chunk of chunks) {
    if (chunk.error) throw new Error(chunk.error.message);
    text += chunk.text ?? "";
    if (text.length > MAX_INTERRUPT_REMARK_CHARACTERS) break;
  }
  return text;
}
