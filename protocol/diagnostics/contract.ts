// Diagnostics of a reply: why it failed, or what took long. For API keys: nothing of it is in the log or in a stream.
import * as z from "zod";

import { ErrorInfoSchema, ErrorTypeSchema, UsageSchema } from "../messages/messages.ts";
import { TimestampSchema } from "../schemas/common.ts";
import { CostSchema } from "../schemas/money.ts";

/** Kinds of failure between the platform and a model or a tool. Each has a hint of its own. */
export const FailureKindSchema = z.enum([
  "credential_refused",
  "permission_refused",
  "quota_spent",
  "not_found",
  "rate_limited",
  "context_too_long",
  "invalid_request",
  "provider_error",
  "redirect",
  "timeout",
  "stalled",
  "connection_lost",
  "unreachable",
  "dns",
  "tls",
  "egress_refused",
  "setup",
  "malformed_answer",
  "empty_answer",
  "output_spent",
  "answer_withheld",
  "too_large",
  "output_limit",
  "tool_error",
  "machine_lost",
  "internal",
  "unknown",
]);
export type FailureKind = z.infer<typeof FailureKindSchema>;

/** The other side's answer is redacted: no secret of the platform's, no bearer token, no query of an address. */
const failure = {
  kind: FailureKindSchema,
  http_status: z.number().int().nullable(),
  code: z.string().nullable(),
  message: z.string().nullable(),
  request_id: z.string().nullable(),
};
const durationMs = z.number().int().nonnegative();

/** @public */
export const FailedTrySchema = z
  .object({
    ...failure,
    error_type: ErrorTypeSchema,
    failed_at: TimestampSchema,
    duration_ms: durationMs,
    hint: z.string(),
  })
  .meta({ id: "FailedTry", description: "A try of a model call that failed." });
export type FailedTry = z.infer<typeof FailedTrySchema>;

/** @public */
export const ModelCallDiagnosticsSchema = z
  .object({
    number: z.number().int().positive(),
    model: z.string(),
    provider: z.string().nullable(),
    host: z.string().nullable(),
    credential_id: z.string().nullable(),
    outcome: z.enum(["running", "completed", "failed", "interrupted", "unknown"]),
    started_at: TimestampSchema,
    duration_ms: durationMs.nullable(),
    first_output_ms: durationMs.nullable(),
    tries: z.number().int().nonnegative(),
    failed_tries: z.array(FailedTrySchema),
    finish_reason: z.string().nullable(),
    usage: UsageSchema.nullable(),
    usage_estimated: z.boolean(),
    cost_usd: CostSchema,
  })
  .meta({
    id: "ModelCallDiagnostics",
    description: "A model call, from its MODEL_CALL_START to its MODEL_CALL_END.",
  });
export type ModelCallDiagnostics = z.infer<typeof ModelCallDiagnosticsSchema>;

/** @public */
export const CallFailureSchema = z
  .object({ ...failure, hint: z.string() })
  .meta({ id: "CallFailure", description: "Why a tool call failed." });

/** @public */
export const CallWaitSchema = z
  .object({
    kind: z.enum(["permission", "external_result"]),
    started_at: TimestampSchema,
    duration_ms: durationMs.nullable(),
  })
  .meta({ id: "CallWait", description: "A wait for a person or for an external system." });
export type CallWait = z.infer<typeof CallWaitSchema>;

/** @public */
export const ToolCallDiagnosticsSchema = z
  .object({
    number: z.number().int().positive(),
    tool_call_id: z.string(),
    name: z.string(),
    outcome: z.enum(["running", "waiting", "success", "error", "denied", "interrupted", "unknown"]),
    started_at: TimestampSchema.nullable(),
    duration_ms: durationMs.nullable(),
    http_status: z.number().int().nullable(),
    failure: CallFailureSchema.nullable(),
    waits: z.array(CallWaitSchema),
  })
  .meta({ id: "ToolCallDiagnostics", description: "A tool call that ran or waited." });
export type ToolCallDiagnostics = z.infer<typeof ToolCallDiagnosticsSchema>;

export const ReplyDiagnosticsSchema = z
  .object({
    reply_id: z.string(),
    session_id: z.string(),
    status: z.enum([
      "running",
      "awaiting_permission",
      "awaiting_external_result",
      "completed",
      "interrupted",
      "exceed_max_iters",
      "error",
    ]),
    agent_version: z.number().int().positive(),
    summary: z.string(),
    hint: z.string().nullable(),
    /** Absent in answers of before this member. */
    memory: z.string().nullable().optional(),
    error: ErrorInfoSchema.nullable(),
    model_calls: z.array(ModelCallDiagnosticsSchema),
    model_calls_omitted: z.number().int().nonnegative(),
    tool_calls: z.array(ToolCallDiagnosticsSchema),
    tool_calls_omitted: z.number().int().nonnegative(),
    recovery: z.object({
      epoch: z.number().int().positive(),
      machines_lost: z.number().int().nonnegative(),
      ran_ms: durationMs,
      retry_at: TimestampSchema.nullable(),
    }),
  })
  .meta({ id: "ReplyDiagnostics", description: "Why a reply failed, or what took long." });
export type ReplyDiagnostics = z.infer<typeof ReplyDiagnosticsSchema>;
