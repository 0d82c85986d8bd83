// A session's messages as other dialects have them: pages and single ones. All but the messages is as in the native answer.
import type * as z from "zod";

import { AgentScope1MsgSchema, JavaMsgSchema } from "../messages/message-forms.ts";
import { CursorSchema, pageOf } from "../schemas/common.ts";
import { ReadMessageSchema } from "./contract.ts";

/** @public */
export const AgentScope1MessagePageSchema = pageOf(AgentScope1MsgSchema)
  .extend({ cursor: CursorSchema })
  .meta({
    id: "AgentScope1MsgPage",
    description: "A page of messages with `format=agentscope-1`.",
  });
export type AgentScope1MessagePage = z.infer<typeof AgentScope1MessagePageSchema>;

export const AgentScope1ReadMessageSchema = ReadMessageSchema.extend({
  message: AgentScope1MsgSchema,
}).meta({ id: "AgentScope1FoldedMsg", description: "A message with `format=agentscope-1`." });
export type AgentScope1StoredMessage = z.infer<typeof AgentScope1ReadMessageSchema>;

/** @public */
export const JavaMessagePageSchema = pageOf(JavaMsgSchema).extend({ cursor: CursorSchema }).meta({
  id: "JavaMsgPage",
  description: "A page of messages with `format=agentscope-java`.",
});
export type JavaMessagePage = z.infer<typeof JavaMessagePageSchema>;

export const JavaReadMessageSchema = ReadMessageSchema.extend({ message: JavaMsgSchema }).meta({
  id: "JavaFoldedMsg",
  description: "A message with `format=agentscope-java`.",
});
export type JavaStoredMessage = z.infer<typeof JavaReadMessageSchema>;

/** A page of messages in the forms that are not native, for routes that list them. */
export const MESSAGE_PAGE_FORMS = [AgentScope1MessagePageSchema, JavaMessagePageSchema] as const;
