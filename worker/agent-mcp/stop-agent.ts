// `stop_…`: ends the reply that is open, as the interrupt route does.
import { toCallResult, failedCall } from "../../protocol/agent-mcp/to-call-result.ts";
import { toolName } from "../../protocol/agent-mcp/agent-tools.ts";
import { tenantOf } from "../principal.ts";
import { sessionStub } from "../objects/session-stub.ts";
import { shownReply } from "../sessions/shown-reply.ts";
import { describeRefusal } from "./describe-refusal.ts";
import { findConversation } from "./find-conversation.ts";
import { done, type BegunCall, type ServedCall } from "./served-call.ts";
import { requireVerb } from "./require-verb.ts";

export async function stopAgent(call: ServedCall, sessionId: string): Promise<BegunCall> {
  const { context, agent } = call;
  requireVerb(context, "interrupt");
  const session = await findConversation(context, agent.id, sessionId);
  if (!session.ok) return done(failedCall(describeRefusal(session.refusal)));
  const stub = sessionStub(context.env, tenantOf(context), sessionId);
  const stopped = await stub.act("interrupt", {});
  if (!stopped.ok) return done(failedCall(describeRefusal(stopped.refusal)));
  const reply = shownReply(context.get("principal"), stopped.value.reply);
  if (reply) return done(toCallResult(reply, toolName("resume", agent.name)));
  return done({
    content: [{ type: "text", text: "Nothing was running." }],
    structuredContent: {
      session_id: sessionId,
      reply_id: null,
      status: "completed",
      pending: [],
    },
  });
}
