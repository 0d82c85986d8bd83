// The check of an agent: whether its models answer and its tools can be reached, before an end user finds out.
import * as z from "zod";

import { TOOL_TYPES } from "../tools/contract.ts";
import { WarningSchema } from "../warning.ts";
import { FailureKindSchema } from "../diagnostics/contract.ts";

export const AgentCheckCreateSchema = z
  .strictObject({
    /** The version to check; the newest when left out. */
    version: z.number().int().positive().optional(),
  })
  .meta({ id: "AgentCheckCreate", description: "What to check." });

const finding = {
  /** `warning`: it was reached, but a call may be refused, or nothing is known of it. */
  status: z.enum(["ok", "warning", "failed"]),
  host: z.string().nullable(),
  http_status: z.number().int().nullable(),
  kind: FailureKindSchema.nullable(),
  code: z.string().nullable(),
  message: z.string().nullable(),
  duration_ms: z.number().int().nonnegative(),
  note: z.string(),
  hint: z.string().nullable(),
};

/** @public */
export const ModelCheckSchema = z
  .object({
    name: z.string(),
    provider: z.string(),
    credential_id: z.string().nullable(),
    ...finding,
  })
  .meta({ id: "ModelCheck", description: "What was found of a model." });
export type ModelCheck = z.infer<typeof ModelCheckSchema>;

/** @public */
export const ToolCheckSchema = z
  .object({
    /** Of an MCP server: its name, or its id when it does not exist. */
    name: z.string(),
    type: z.enum(TOOL_TYPES),
    /** The method of the request that was sent; null when none was. */
    method: z.enum(["OPTIONS", "GET", "POST"]).nullable(),
    ...finding,
  })
  .meta({ id: "ToolCheck", description: "What was found of a tool." });
export type ToolCheck = z.infer<typeof ToolCheckSchema>;

export const AgentCheckSchema = z
  .object({
    agent_id: z.string(),
    version: z.number().int().positive(),
    /** False when anything has failed; warnings leave it true. */
    ok: z.boolean(),
    model: ModelCheckSchema,
    fallbacks: z.array(ModelCheckSchema),
    /** The model that writes summaries of long conversations; null when it is the agent's own. */
    compression_model: ModelCheckSchema.nullable(),
    /** The models that write down and say what is spoken, without embedded ones. Left out when there are none. */
    voice: z.array(ModelCheckSchema).optional(),
    /** The server of an agent in code over HTTP; left out where there is none. */
    code_agent: ModelCheckSchema.optional(),
    tools: z.array(ToolCheckSchema),
    /** The parts of the definition that say nothing, with the catalogues that the check has just read. */
    warnings: z.array(WarningSchema),
    /** Of the models that answered; they count for the day's quota. */
    tokens: z.number().int().nonnegative(),
  })
  .meta({ id: "AgentCheck", description: "What a check of an agent has found." });
export type AgentCheck = z.infer<typeof AgentCheckSchema>;
