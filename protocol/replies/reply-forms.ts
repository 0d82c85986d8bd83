// Replies and waiting calls as other dialects have them: the message and the calls are in the dialect's form, all other
// members as in the native answer.
import * as z from "zod";

import {
  AgentScope1BlockSchema,
  AgentScope1MsgSchema,
  JavaBlockSchema,
  JavaMsgSchema,
} from "../messages/message-forms.ts";
import { pageOf } from "../schemas/common.ts";
import {
  InterruptResultSchema,
  PendingCallSchema,
  ReplySchema,
  ReplySubagentSchema,
  SubagentPendingCallSchema,
} from "./contract.ts";

/** The members of a reply that have messages and calls, in a dialect's form. @param id The beginning of the ids. */
function membersIn<Message extends z.ZodType, Call extends z.ZodType>(
  id: string,
  message: Message,
  tool_call: Call,
) {
  const pending = PendingCallSchema.extend({ tool_call }).meta({
    id: `${id}PendingCall`,
    description: "A tool call that waits for an answer, in a dialect's form.",
  });
  const below = SubagentPendingCallSchema.extend({ tool_call }).meta({
    id: `${id}SubagentPendingCall`,
    description: "A waiting call of a called agent, in a dialect's form.",
  });
  const subagent = ReplySubagentSchema.extend({ pending: z.array(below).optional() });
  return {
    message: message.nullable(),
    pending: z.array(pending),
    subagents: z.array(subagent).optional(),
  };
}

export const AgentScope1ReplySchema = ReplySchema.extend(
  membersIn("AgentScope1", AgentScope1MsgSchema, AgentScope1BlockSchema),
).meta({
  id: "AgentScope1Reply",
  description: "A reply with its message and calls in the form of AgentScope 1.x.",
});
export type AgentScope1Reply = z.infer<typeof AgentScope1ReplySchema>;

export const AgentScope1ReplyPageSchema = pageOf(AgentScope1ReplySchema).meta({
  id: "AgentScope1ReplyPage",
});

export const JavaReplySchema = ReplySchema.extend(
  membersIn("Java", JavaMsgSchema, JavaBlockSchema),
).meta({
  id: "JavaReply",
  description: "A reply with its message and calls in the form of AgentScope for Java.",
});
export type JavaReply = z.infer<typeof JavaReplySchema>;

export const JavaReplyPageSchema = pageOf(JavaReplySchema).meta({ id: "JavaReplyPage" });

export const AgentScope1InterruptResultSchema = InterruptResultSchema.extend({
  reply: AgentScope1ReplySchema.nullable(),
}).meta({ id: "AgentScope1InterruptResult" });

export const JavaInterruptResultSchema = InterruptResultSchema.extend({
  reply: JavaReplySchema.nullable(),
}).meta({ id: "JavaInterruptResult" });
