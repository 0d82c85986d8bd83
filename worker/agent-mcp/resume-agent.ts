// `resume_…`, and a call that comes back with its request state: answers to what waits, then what the reply says.
import type * as z from "zod";

import type { WrittenEvent } from "../../agent/json/complete-answer.ts";
import type { Reply } from "../../protocol/replies/contract.ts";
import { PostedEventSchema } from "../../protocol/events/contract.ts";
import { accept, refuse, type Result } from "../../protocol/errors.ts";
import type { McpAnswer, ResumeArgumentsSchema } from "../../protocol/agent-mcp/agent-tools.ts";
import { waitingCalls } from "../../protocol/agent-mcp/waiting-calls.ts";
import { failedCall } from "../../protocol/agent-mcp/to-call-result.ts";
import { readInputResponses } from "../../protocol/agent-mcp/waiting-inputs.ts";
import { actorOf } from "../auth/actor.ts";
import { inBackground } from "../in-background.ts";
import { tenantOf } from "../principal.ts";
import { sessionStub } from "../objects/session-stub.ts";
import { requireRead } from "../sessions/shown-reply.ts";
import { noteOrCancel } from "./cancelled-calls.ts";
import { describeRefusal } from "./describe-refusal.ts";
import { findConversation } from "./find-conversation.ts";
import { keepReply } from "./left-calls.ts";
import { done, follow, questionOf, type BegunCall, type ServedCall } from "./served-call.ts";
import { openRequestState } from "./request-state.ts";
import { requireVerb } from "./require-verb.ts";

export async function resumeAgent(
  call: ServedCall,
  { session_id, answers }: z.output<typeof ResumeArgumentsSchema>,
): Promise<BegunCall> {
  // The call's result is the reply's, whoever began it.
  requireRead(call.context.get("principal"));
  const session = await findConversation(call.context, call.agent.id, session_id);
  if (!session.ok) return done(failedCall(describeRefusal(session.refusal)));
  const reply = await currentReply(call, session_id, session.value.reply_id);
  return reply.ok
    ? answerReply(call, reply.value, answers, [])
    : done(failedCall(describeRefusal(reply.refusal)));
}

/** The second part of a call that asked its client. @param responses `inputResponses`. */
export async function continueCall(
  call: ServedCall,
  state: string,
  responses: unknown,
): Promise<BegunCall> {
  const opened = await openRequestState(call.context, call.agent.id, state);
  if (!opened) {
    const message = "requestState is not one of this agent's, or has expired; call again without";
    return { kind: "invalid", message };
  }
  const { session_id, reply_id, calls } = opened;
  const session = await findConversation(call.context, call.agent.id, session_id);
  if (!session.ok) return done(failedCall(describeRefusal(session.refusal)));
  const reply = await currentReply(call, session_id, reply_id);
  if (!reply.ok) return done(failedCall(describeRefusal(reply.refusal)));
  const asked = calls.map(({ id, kind }) => questionOf(kind, id));
  return answerReply(call, reply.value, readInputResponses(calls, responses), asked);
}

/** @param replyId Null for the newest reply of a session in which none is open. */
async function currentReply(
  { context }: ServedCall,
  sessionId: string,
  replyId: string | null,
): Promise<Result<Reply>> {
  const stub = sessionStub(context.env, tenantOf(context), sessionId);
  if (replyId !== null) return stub.act("readReply", { reply_id: replyId, wait_ms: 0 });
  const listed = await stub.act("listReplies", { limit: 1 });
  if (!listed.ok) return listed;
  const [newest] = listed.value.data;
  return newest ? accept(newest) : refuse("not_found", "the session has no reply yet");
}

/** The answers of each kind are one act: all of them or none. Given again, they change nothing. */
async function answerReply(
  call: ServedCall,
  reply: Reply,
  answers: readonly McpAnswer[],
  asked: readonly string[],
): Promise<BegunCall> {
  const { context } = call;
  const events = toEvents(reply, answers);
  if (!events.ok) return done(failedCall(describeRefusal(events.refusal)));
  // One that looks on alone ends nothing when it leaves, unless it has taken the place of one that would have.
  const owns = await keepReply(call, reply, events.value.length > 0);
  const stub = sessionStub(context.env, tenantOf(context), reply.session_id);
  for (const event of events.value) {
    requireVerb(context, event.type === "USER_CONFIRM_RESULT" ? "confirm" : "tool_result");
    const taken = await stub.act("postEvent", event, {
      actor: actorOf(context.get("principal")),
      trace: context.get("trace"),
    });
    // A repeated answer, after its reply has ended: the first one has been taken.
    if (!taken.ok && taken.refusal.extensions?.["same_answer"] === true) continue;
    if (!taken.ok) return done(failedCall(describeRefusal(taken.refusal)));
  }
  inBackground("MCP: noting a call", noteOrCancel(call, reply));
  return follow(reply, { asked, owns });
}

/** An act for each reply and kind. A call that does not wait any more is the reply's own: it is told so by name. */
function toEvents(reply: Reply, answers: readonly McpAnswer[]): Result<readonly WrittenEvent[]> {
  const unclear = answers.find(
    ({ approved, output }) => (approved === undefined) === (output === undefined),
  );
  if (unclear) {
    const detail = `the answer to ${unclear.call_id} has either \`approved\` or \`output\``;
    return refuse("validation_failed", detail);
  }
  const replyIds = new Map(
    waitingCalls(reply)
      .toReversed()
      .map(({ call, reply_id }) => [call.tool_call.id, reply_id]),
  );
  const byReply = Map.groupBy(answers, ({ call_id }) => replyIds.get(call_id) ?? reply.id);
  return accept([...byReply].flatMap(([replyId, own]) => eventsOf(replyId, own)));
}

/** Confirmations first: a result may be wanted by a call that they allow. */
function eventsOf(replyId: string, answers: readonly McpAnswer[]): readonly WrittenEvent[] {
  const confirmed = answers.filter(({ approved }) => approved !== undefined);
  const given = answers.filter(({ output }) => output !== undefined);
  const hashes = confirmed.flatMap(({ call_id, input_hash }) =>
    input_hash === undefined ? [] : [[call_id, input_hash] as const],
  );
  const confirmation = {
    type: "USER_CONFIRM_RESULT",
    reply_id: replyId,
    metadata: { input_hashes: Object.fromEntries(hashes) },
    confirm_results: confirmed.map(({ call_id, approved, reason }) => ({
      confirmed: approved,
      tool_call: { id: call_id },
      ...(reason !== undefined && { reason }),
    })),
  };
  const execution = {
    type: "EXTERNAL_EXECUTION_RESULT",
    reply_id: replyId,
    execution_results: given.map(({ call_id, output, is_error }) => ({
      id: call_id,
      output,
      state: is_error === true ? "error" : "success",
    })),
  };
  return [
    ...(confirmed.length > 0 ? [PostedEventSchema.parse(confirmation)] : []),
    ...(given.length > 0 ? [PostedEventSchema.parse(execution)] : []),
  ];
}
