// The conversation of a session with an agent of another system that gives its replies, as the log has it: what was sent,
// and where it goes on.
import * as z from "zod";

import { ToldUsageSchema } from "./told-usage.ts";

/** The ability's name, and the `name` of the `CUSTOM` event. */
export const REMOTE_CONVERSATION = "remote_conversation";

export const RemoteConversationSchema = z.object({
  /** The reply that has sent the last message. */
  reply_id: z.string(),
  /** A hash of the agent's address, which readers of the log need not know. At another one another conversation begins. */
  author: z.string().max(64),
  /** The messages that the reply has sent. */
  sends: z.number().int().nonnegative(),
  /** The last message of the conversation that the agent was sent; null for none. */
  sent_through: z.string().nullable(),
  /** The last call of the reply whose result the agent was sent; null for none. */
  answered_call: z.string().nullable(),
  /** The agent's; null until it has said it. */
  context_id: z.string().nullable(),
  /** The task that works on the last message; null until the agent has named it. */
  task_id: z.string().nullable(),
  /** The task waits for an answer. */
  is_waiting: z.boolean(),
  /** The usage that the agent has told of the task so far, which is counted; left out for none. */
  told: ToldUsageSchema.optional(),
});
export interface RemoteConversation extends Readonly<z.infer<typeof RemoteConversationSchema>> {}

/** The tool of the platform with which a reply waits for an answer that the agent needs. */
export const REMOTE_QUESTION_TOOL = "answer_remote_agent";
