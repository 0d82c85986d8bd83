// The result of a call once its reply has ended or waits: the reply's words or, in the newer era, a question to the
// client, which sends the call again with the answer.
import type { Reply } from "../../protocol/replies/contract.ts";
import { toolName } from "../../protocol/agent-mcp/agent-tools.ts";
import { toCallResult } from "../../protocol/agent-mcp/to-call-result.ts";
import { waitingCalls } from "../../protocol/agent-mcp/waiting-calls.ts";
import { takesForms, toInputRequests } from "../../protocol/agent-mcp/waiting-inputs.ts";
import { hasVerb } from "./require-verb.ts";
import { questionOf, type ServedCall } from "./served-call.ts";
import { signRequestState } from "./request-state.ts";

/** @param asked Questions ({@link questionOf}) that the client was asked before: those left open stay waiting. */
export async function finishCall(
  call: ServedCall,
  reply: Reply,
  asked: readonly string[],
): Promise<object> {
  const { context, agent, era } = call;
  const result = toCallResult(reply, toolName("resume", agent.name));
  if (era.era !== "self_described" || !takesForms(era.capabilities)) return result;
  const waiting = waitingCalls(reply).filter(
    ({ call: { kind, tool_call, elicitation, authorization } }) =>
      // Calls of these kinds have forms and pages of their own, which are in the result.
      !elicitation &&
      !authorization &&
      !asked.includes(questionOf(kind, tool_call.id)) &&
      hasVerb(context, kind === "permission" ? "confirm" : "tool_result"),
  );
  if (waiting.length === 0) return result;
  return {
    resultType: "input_required",
    inputRequests: toInputRequests(waiting),
    requestState: await signRequestState(context, agent.id, reply, waiting),
  };
}
