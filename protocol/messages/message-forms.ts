// Messages as other dialects have them: the shapes of answers with `format=agentscope-1` and `format=agentscope-java`. The
// members of blocks depend on their type; docs/protocol/ says what each has.
import * as z from "zod";

const free = z.record(z.string(), z.unknown());

/** @public */
export const AgentScope1BlockSchema = z.looseObject({ type: z.string() }).meta({
  id: "AgentScope1Block",
  only: "answer",
  description:
    "A block in the form of AgentScope 1.x; docs/protocol/agentscope-1.md has its types.",
});
export type AgentScope1Block = z.infer<typeof AgentScope1BlockSchema>;

export const AgentScope1MsgSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    role: z.enum(["user", "assistant", "system"]),
    content: z.array(AgentScope1BlockSchema),
    /** The value of structured output, where the message has one. */
    metadata: free,
    timestamp: z.string(),
  })
  .meta({
    id: "AgentScope1Msg",
    only: "answer",
    description: "A message in the form of AgentScope 1.x.",
  });
export type AgentScope1Msg = z.infer<typeof AgentScope1MsgSchema>;

/** @public */
export const JavaBlockSchema = z.looseObject({ type: z.string() }).meta({
  id: "JavaBlock",
  only: "answer",
  description:
    "A block in the form of AgentScope for Java; docs/protocol/agentscope-java.md has its types.",
});
export type JavaBlock = z.infer<typeof JavaBlockSchema>;

const count = z.number().int().nonnegative();

export const JavaMsgSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    role: z.enum(["USER", "ASSISTANT", "SYSTEM", "TOOL"]),
    content: z.array(JavaBlockSchema),
    metadata: free.optional(),
    timestamp: z.string(),
    usage: z
      .object({
        inputTokens: count,
        outputTokens: count,
        cacheInputTokens: count,
        cacheCreationInputTokens: count,
      })
      .optional(),
  })
  .meta({
    id: "JavaMsg",
    only: "answer",
    description: "A message in the form of AgentScope for Java.",
  });
export type JavaMsg = z.infer<typeof JavaMsgSchema>;
