// Response schemas for the OpenAPI document, of shapes that the contract defines as interfaces. Not used for validation
// at run time; the types at the end check that schema and interface have the same fields.
import { z } from "zod";

import { KnownModelSchema } from "./models/known-models.ts";
import { ToolCallBlockSchema } from "./messages/blocks.ts";
import { ERRORS, type ErrorCode, type FieldError, type Problem } from "./errors.ts";
import { AgentEventSchema } from "./events.ts";
import { ElicitationSchema } from "./mcp/responses-elicitation.ts";
import { ErrorInfoSchema, MsgSchema, UsageSchema } from "./messages/messages.ts";
import { PermissionModeSchema, PermissionRuleSchema } from "./messages/permission.ts";
import { AgentCreateSchema, type Agent, type AgentVersion } from "./agents/contract.ts";
import { ApiKeySchema } from "./keys/contract.ts";
import { AuditEntrySchema } from "./audit/contract.ts";
import { TimestampSchema, type Page } from "./schemas/common.ts";
import { CredentialSchema } from "./credentials/contract.ts";
import { ForkedFromSchema } from "./sessions/responses-conversation.ts";
import { ReplyModelOptionsSchema } from "./models/model-options.ts";
import type { InterruptResult, PendingCall, Reply } from "./replies/contract.ts";
import { SessionStatusSchema, type Session, type SessionSummary } from "./sessions/contract.ts";
import { TenantSchema } from "./tenants/contract.ts";
import { UsageRowSchema } from "./usage/contract.ts";

export const HealthSchema = z.object({ status: z.literal("ok") });

/** The answer while a tenant's erasure is in progress. */
export const ErasingTenantSchema = z.object({ id: z.string(), status: z.literal("erasing") });

/** An agent that was checked and not written. */
export const AgentDefinitionSchema = AgentCreateSchema.extend({});

export const AgentSchema = AgentCreateSchema.extend({
  id: z.string(),
  version: z.number().int().positive(),
  created_at: TimestampSchema,
  updated_at: TimestampSchema,
});

export const AgentVersionSchema = AgentCreateSchema.extend({
  agent_id: z.string(),
  version: z.number().int().positive(),
  created_at: TimestampSchema,
  retired_at: TimestampSchema.nullable(),
});

/** The sign-in that a call waits for. */
const AuthorizationRequiredSchema = z.object({
  connection_id: z.string(),
  mcp_server_id: z.string(),
  url: z.string(),
  expires_at: TimestampSchema,
});

export const PendingCallSchema = z.object({
  kind: z.enum(["permission", "external_result"]),
  tool_call: ToolCallBlockSchema,
  input_hash: z.string().nullable(),
  expires_at: TimestampSchema.nullable(),
  suggested_rules: z.array(PermissionRuleSchema),
  question: z.string().optional(),
  editable: z.array(z.string()).optional(),
  reasons: z
    .object({
      reason: z.string().nullable(),
      rule: PermissionRuleSchema.nullable(),
      untrusted: z.array(z.object({ tool_name: z.string(), tool_call_id: z.string() })),
    })
    .optional(),
  elicitation: ElicitationSchema.optional(),
  authorization: AuthorizationRequiredSchema.optional(),
  omitted: z.object({ bytes: z.number().int().nonnegative() }).optional(),
});

/** A seq, or 0 before the first event. */
const cursor = z.number().int().nonnegative();

export const SessionSummarySchema = z.object({
  id: z.string(),
  agent_id: z.string(),
  agent_version: z.number().int().positive(),
  follows_latest: z.boolean(),
  end_user_id: z.string().nullable(),
  metadata: z.record(z.string(), z.unknown()),
  created_at: TimestampSchema,
  status: SessionStatusSchema,
  forked_from: ForkedFromSchema.nullable(),
});

export const SessionSchema = SessionSummarySchema.extend({
  reply_id: z.string().nullable(),
  queued_reply_ids: z.array(z.string()),
  pending: z.array(PendingCallSchema),
  cursor,
  permission: z.object({ mode: PermissionModeSchema }),
  working_directories: z.array(z.string()),
  time_zone: z.string().nullable(),
});

export const ReplyStatusSchema = z.enum([
  "running",
  "awaiting_permission",
  "awaiting_external_result",
  "completed",
  "interrupted",
  "exceed_max_iters",
  "error",
]);

const ReplyTaskSchema = z.object({
  tool_call_id: z.string(),
  tool_name: z.string(),
  server: z.string(),
  status: z.enum(["working", "input_required", "completed", "failed", "cancelled"]),
  message: z.string().nullable(),
  expires_at: TimestampSchema,
});

export const ReplySchema = z.object({
  id: z.string(),
  session_id: z.string(),
  status: ReplyStatusSchema,
  message: MsgSchema.nullable(),
  pending: z.array(PendingCallSchema),
  tasks: z.array(ReplyTaskSchema).optional(),
  error: ErrorInfoSchema.nullable(),
  usage: UsageSchema.nullable(),
  model_options: ReplyModelOptionsSchema.optional(),
  cursor,
});

export const InterruptResultSchema = z.object({
  interrupted: z.boolean(),
  reply: ReplySchema.nullable(),
});

export const ReadMessageSchema = z.object({ message: MsgSchema, cursor });

/** A page of a list: {@link Page} of `item`. */
export function pageOf<Item extends z.ZodType>(item: Item) {
  return z.object({
    data: z.array(item),
    has_more: z.boolean(),
    next_page: z.string().nullable(),
  });
}

export const TenantPageSchema = pageOf(TenantSchema);
export const ApiKeyPageSchema = pageOf(ApiKeySchema);
export const AuditPageSchema = pageOf(AuditEntrySchema);
export const CredentialPageSchema = pageOf(CredentialSchema);
export const AgentPageSchema = pageOf(AgentSchema);
export const AgentVersionPageSchema = pageOf(AgentVersionSchema);
export const SessionPageSchema = pageOf(SessionSummarySchema);
export const ReplyPageSchema = pageOf(ReplySchema);
export const MessagePageSchema = pageOf(MsgSchema).extend({ cursor });
export const EventPageSchema = pageOf(AgentEventSchema).extend({ cursor });

export const UsagePageSchema = pageOf(UsageRowSchema);
export const KnownModelPageSchema = pageOf(KnownModelSchema);

export const FieldErrorSchema = z.object({ pointer: z.string(), detail: z.string() });

const ERROR_CODES = Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]];

/** Members after `errors` are extensions that only some error codes have. */
export const ProblemSchema = z.looseObject({
  type: z.string(),
  title: z.string(),
  status: z.number().int(),
  detail: z.string(),
  code: z.enum(ERROR_CODES),
  request_id: z.string(),
  errors: z.array(FieldErrorSchema).optional(),
  reply_id: z.string().optional(),
  pending: z.array(PendingCallSchema).optional(),
  queued: z.number().int().optional(),
  required_scope: z.string().optional(),
  required_verb: z.string().optional(),
  max_bytes: z.number().int().optional(),
  agent_pointer: z.string().optional(),
  tool_call_id: z.string().optional(),
  message_id: z.string().optional(),
  state: z.string().nullable().optional(),
  reply: z.object({ id: z.string(), status: ReplyStatusSchema }).nullable().optional(),
  same_answer: z.boolean().optional(),
  rule: PermissionRuleSchema.optional(),
  version: z.number().int().nonnegative().optional(),
  quota: z.string().optional(),
  limit: z.number().int().optional(),
  retry_after_ms: z.number().int().optional(),
  error: ErrorInfoSchema.optional(),
  hook: z.string().optional(),
  kind: z.string().optional(),
  http_status: z.number().int().nullable().optional(),
  authorization: AuthorizationRequiredSchema.optional(),
});

/** A type with every member read-only, so that a schema's output compares with an interface. */
type Frozen<Value> = Value extends object
  ? { readonly [Name in keyof Value]: Frozen<Value[Name]> }
  : Value;
export type Agrees<Schema extends z.ZodType, Shape> = [Frozen<z.infer<Schema>>] extends [
  Frozen<Shape>,
]
  ? [Frozen<Shape>] extends [Frozen<z.infer<Schema>>]
    ? [keyof z.infer<Schema>, keyof Shape] extends [keyof Shape, keyof z.infer<Schema>]
      ? true
      : false
    : false
  : false;
export type All<Checks extends readonly true[]> = Checks;

/**
 * Compile-time check: each schema of this file matches its interface.
 * @public
 */
export type AnswersAgree = All<
  [
    Agrees<typeof AgentSchema, Agent>,
    Agrees<typeof AgentVersionSchema, AgentVersion>,
    Agrees<typeof PendingCallSchema, PendingCall>,
    Agrees<typeof SessionSummarySchema, SessionSummary>,
    Agrees<typeof SessionSchema, Session>,
    Agrees<typeof ReplySchema, Reply>,
    Agrees<typeof InterruptResultSchema, InterruptResult>,
    Agrees<typeof SessionPageSchema, Page<SessionSummary>>,
    Agrees<typeof FieldErrorSchema, FieldError>,
    [z.infer<typeof ProblemSchema>] extends [Problem] ? true : false,
  ]
>;
