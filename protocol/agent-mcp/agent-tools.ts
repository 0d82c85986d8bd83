// The tools of an agent's MCP server: to ask it, to answer what it waits for, and to stop it.
import * as z from "zod";

import { MAX_ANSWER_REASON_CHARACTERS } from "../confirmations/limits.ts";
import { MAX_MCP_ANSWERS } from "./limits.ts";
import { MAX_CALL_ID_CHARACTERS } from "../tools/limits.ts";

/** Characters of the agent's part of a tool's name: with the longest verb the name fits the 64 of model providers. */
const MAX_SLUG_CHARACTERS = 50;
const SessionIdSchema = z.string().min(1).max(64);

export const AskArgumentsSchema = z.strictObject({
  message: z.string().min(1).describe("What to tell the agent."),
  session_id: SessionIdSchema.optional().describe(
    "The conversation to continue, as an earlier result names it. Without it a new one begins.",
  ),
});

const AnswerSchema = z.strictObject({
  call_id: z.string().min(1).max(MAX_CALL_ID_CHARACTERS).describe("As `pending` names it."),
  approved: z
    .boolean()
    .optional()
    .describe("For the kind `permission`: what the person has decided."),
  reason: z
    .string()
    .max(MAX_ANSWER_REASON_CHARACTERS)
    .optional()
    .describe("Why; the agent is told the reason of a denial."),
  input_hash: z
    .string()
    .max(200)
    .optional()
    .describe("The `input_hash` of the call in `pending`: it proves which input was approved."),
  output: z.string().optional().describe("For the kind `external_result`: the result."),
  is_error: z.boolean().optional().describe("Whether that result is an error."),
});
export type McpAnswer = z.infer<typeof AnswerSchema>;

export const ResumeArgumentsSchema = z.strictObject({
  session_id: SessionIdSchema.describe("The conversation, as an earlier result names it."),
  answers: z
    .array(AnswerSchema)
    .max(MAX_MCP_ANSWERS)
    .default([])
    .describe("Answers to calls in `pending`. Without any, this waits for the agent's answer."),
});

export const StopArgumentsSchema = z.strictObject({
  session_id: SessionIdSchema.describe("The conversation whose answer is to be stopped."),
});

export type ToolVerb = "ask" | "resume" | "stop";

/** The name with which clients show a tool of this agent. */
export function toolName(verb: ToolVerb, agentName: string): string {
  return `${verb}_${slugOf(agentName)}`;
}

/** The verb of a tool of this agent; null for any other name. */
export function verbOf(name: unknown, agentName: string): ToolVerb | null {
  const verbs = ["ask", "resume", "stop"] as const;
  return verbs.find((verb) => toolName(verb, agentName) === name) ?? null;
}

function slugOf(agentName: string): string {
  const slug = agentName
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/\p{Mark}+/gu, "")
    .replaceAll(/[^a-z0-9]+/g, "_")
    .replaceAll(/^_+|_+$/g, "")
    .slice(0, MAX_SLUG_CHARACTERS)
    .replace(/_+$/, "");
  return slug === "" ? "agent" : slug;
}

/** The tools as `tools/list` shows them. */
export function describeTools(agentName: string): readonly object[] {
  return [
    {
      name: toolName("ask", agentName),
      title: `Ask ${agentName}`,
      description: `Sends a message to the agent ${agentName} and returns its answer.`,
      inputSchema: toInputSchema(AskArgumentsSchema),
      outputSchema: OUTPUT_SCHEMA,
      annotations: { readOnlyHint: false, idempotentHint: false, openWorldHint: true },
    },
    {
      name: toolName("resume", agentName),
      title: `Answer what ${agentName} waits for`,
      description: `Answers calls for which the agent ${agentName} waits, then returns what it says. An approval is the decision of a person: never approve without having asked. Without answers it waits for an answer that still runs.`,
      inputSchema: toInputSchema(ResumeArgumentsSchema),
      outputSchema: OUTPUT_SCHEMA,
      annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: true },
    },
    {
      name: toolName("stop", agentName),
      title: `Stop ${agentName}`,
      description: `Stops the answer that the agent ${agentName} gives at the moment.`,
      inputSchema: toInputSchema(StopArgumentsSchema),
      outputSchema: OUTPUT_SCHEMA,
      annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true },
    },
  ];
}

function toInputSchema(schema: z.ZodType): object {
  const { $schema: _, ...shape } = z.toJSONSchema(schema, { io: "input" });
  return shape;
}

const PendingSchema = z.object({
  call_id: z.string(),
  kind: z.enum(["permission", "external_result"]),
  tool: z.string(),
  input: z.string().describe("The JSON text of the call's input, cut when it is long."),
  input_hash: z.string().nullable(),
  question: z.string().nullable(),
  expires_at: z.string().nullable(),
  elicitation: z
    .record(z.string(), z.unknown())
    .optional()
    .describe(
      "What a tool asks the person for. The `output` is the JSON text of the answer to it.",
    ),
  authorization: z
    .record(z.string(), z.unknown())
    .optional()
    .describe(
      "A sign-in that the person has to make at `url`. The call goes on by itself behind it.",
    ),
});
export type McpPending = z.infer<typeof PendingSchema>;

const McpOutcomeSchema = z.object({
  session_id: z.string().describe("Give it back to continue this conversation."),
  reply_id: z.string().nullable(),
  status: z.enum(["completed", "waiting", "running", "interrupted", "out_of_rounds", "failed"]),
  pending: z.array(PendingSchema).describe("What the agent waits for, with the status `waiting`."),
});
/** `structuredContent` of each result. */
export type McpOutcome = z.infer<typeof McpOutcomeSchema>;

const { $schema: _, ...OUTPUT_SCHEMA } = z.toJSONSchema(McpOutcomeSchema, { io: "input" });
