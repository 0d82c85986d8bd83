// Export and import of a session as an AgentScope `AgentState`.
import * as z from "zod";

import { TextOrDataBlockSchema } from "../messages/blocks.ts";
import { MAX_MESSAGE_ID_CHARACTERS } from "../requests/limits.ts";
import { MAX_STATE_MESSAGES } from "./limits.ts";
import { MsgSchema } from "../messages/messages.ts";
import { PermissionModeSchema, PermissionRuleSchema } from "../messages/permission.ts";
import { describeIssue } from "../words/describe-issue.ts";
import { findBlockProblem, TextOrMediaBlockSchema } from "../files/media-blocks.ts";
import { RuleInputSchema } from "../permission/contract.ts";
import { WorkingDirectoriesSchema } from "./session-settings.ts";

const DirectorySchema = z.object({ path: z.string(), source: z.string() });

/** Rules by the name of their tool. */
const RulesByToolSchema = z.record(z.string(), z.array(PermissionRuleSchema));

/** @public */
export const PermissionContextSchema = z.object({
  mode: PermissionModeSchema,
  working_directories: z.record(z.string(), DirectorySchema),
  allow_rules: RulesByToolSchema,
  deny_rules: RulesByToolSchema,
  ask_rules: RulesByToolSchema,
});
export type PermissionContext = z.infer<typeof PermissionContextSchema>;

const ReplyContextSchema = z.object({
  /** Empty when no reply runs or waits. */
  reply_id: z.string(),
  cur_iter: z.number().int().nonnegative(),
  structured_schema: z.record(z.string(), z.unknown()).nullable(),
  structured_output: z.record(z.string(), z.unknown()).nullable(),
});

const ToolContextSchema = z.object({
  max_cache_files: z.number().int(),
  max_cache_bytes: z.number().int(),
  read_file_cache: z.array(z.unknown()),
  activated_groups: z.array(z.string()),
});

export const AgentStateSchema = z
  .object({
    session_id: z.string(),
    summary: z.union([z.string(), z.array(TextOrDataBlockSchema)]),
    /** Oldest first: the newest messages that fit into `MAX_HISTORY_BYTES`. */
    context: z.array(MsgSchema),
    /** Whether older messages were left out. */
    context_truncated: z.boolean(),
    reply_context: ReplyContextSchema,
    permission_context: PermissionContextSchema,
    tool_context: ToolContextSchema,
    /** The current plan's subtasks as AgentScope's tasks. */
    tasks_context: z.object({ tasks: z.array(z.unknown()) }),
    /** The states of abilities, by the ability's name: `shared_state` is `{state, version}`. */
    middle_context: z.record(z.string(), z.unknown()),
  })
  .meta({
    id: "AgentState",
    description:
      "A session in AgentScope's format. `context_truncated` is an addition of this platform; other readers may ignore it.",
  });
export type AgentState = z.infer<typeof AgentStateSchema>;

/** An imported message. @public */
export const StateMessageSchema = MsgSchema.refine(({ role }) => role !== "system", {
  path: ["role"],
  message: "a conversation has messages of users and assistants; the prompt is the agent's",
})
  .refine(({ id }) => id.length > 0 && id.length <= MAX_MESSAGE_ID_CHARACTERS, {
    path: ["id"],
    message: `a message's id has 1 to ${MAX_MESSAGE_ID_CHARACTERS} characters`,
  })
  .superRefine(({ content }, context) => {
    const problem = findBlockProblem(content);
    if (!problem) return;
    const { path, message } = problem;
    context.addIssue({ code: "custom", path: ["content", ...path], message });
  })
  .meta({ id: "MsgInput" });

const ContextSchema = z
  .array(StateMessageSchema)
  .max(MAX_STATE_MESSAGES)
  .superRefine((messages, context) => {
    const seen = new Set<string>();
    for (const [index, { id }] of messages.entries()) {
      if (seen.has(id)) {
        const message = "two messages have the same id";
        context.addIssue({ code: "custom", path: [index, "id"], message });
      }
      seen.add(id);
    }
  });

/**
 * Lists of rules by tool name. Each rule's own tool name and behaviour must match the key and the list that it is in.
 */
function rulesOf(behavior: "allow" | "deny" | "ask") {
  return z
    .record(z.string(), z.array(RuleInputSchema))
    .superRefine((rules, context) => {
      for (const [tool, list] of Object.entries(rules)) {
        for (const [index, rule] of list.entries()) {
          if (rule.tool_name === tool && rule.behavior === behavior) continue;
          const message = `a rule in this list must have the tool_name ${tool} and the behavior ${behavior}`;
          context.addIssue({ code: "custom", path: [tool, index], message });
        }
      }
    })
    .default({});
}

const PermissionContextInputSchema = z.strictObject({
  mode: PermissionModeSchema.default("default"),
  working_directories: z.record(z.string(), DirectorySchema).default({}),
  allow_rules: rulesOf("allow"),
  deny_rules: rulesOf("deny"),
  ask_rules: rulesOf("ask"),
});

/** Members that are internal to the exporting platform: accepted and dropped. */
const ignored = z.unknown().optional();

export const AgentStateInputSchema = z
  .strictObject({
    session_id: ignored,
    /** Imported as the first message. */
    summary: z.union([z.string(), z.array(TextOrMediaBlockSchema)]).default(""),
    context: ContextSchema.default([]),
    context_truncated: ignored,
    /** When left out, the session keeps its own permission settings. */
    permission_context: PermissionContextInputSchema.optional(),
    reply_context: ignored,
    /** Ignored but for `activated_groups`, which are kept. */
    tool_context: ignored,
    /** The tasks of the plan; those that are none are accepted and not kept. */
    tasks_context: z.unknown().optional(),
    /** States of abilities, by name; what is none is accepted and not kept. */
    middle_context: ignored,
    // Older states have these members at the top level.
    reply_id: ignored,
    cur_iter: ignored,
  })
  .superRefine(({ permission_context }, context) => {
    if (!permission_context) return;
    const paths = Object.keys(permission_context.working_directories);
    const checked = WorkingDirectoriesSchema.safeParse(paths, { error: describeIssue });
    for (const issue of checked.error?.issues ?? []) {
      const [index] = issue.path;
      const path = ["permission_context", "working_directories"];
      if (typeof index === "number") path.push(paths[index] ?? "");
      context.addIssue({ code: "custom", path, message: issue.message });
    }
  })
  .meta({
    id: "AgentStateInput",
    description:
      "A session from an AgentScope platform. State of an agent's process is accepted and not kept.",
  });
export type AgentStateInput = z.infer<typeof AgentStateInputSchema>;
