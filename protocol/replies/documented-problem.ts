// Problems as the OpenAPI document describes them, with the extensions of each code.
import * as z from "zod";

import { AuthorizationRequiredSchema } from "../messages/call-reasons.ts";
import { ErrorInfoSchema } from "../messages/messages.ts";
import { PermissionRuleSchema } from "../messages/permission.ts";
import { ProblemSchema } from "../problem.ts";
import { PendingCallSchema, ReplyStatusSchema } from "./contract.ts";
import { TimestampSchema } from "../schemas/common.ts";

export const DocumentedProblemSchema = ProblemSchema.extend({
  reply_id: z.string().optional(),
  pending: z.array(PendingCallSchema).optional(),
  queued: z.number().int().optional(),
  required_scope: z.string().optional(),
  required_right: z.string().optional(),
  required_verb: z.string().optional(),
  max_bytes: z.number().int().optional(),
  agent_pointer: z.string().optional(),
  tool_call_id: z.string().optional(),
  message_id: z.string().optional(),
  consolidation_id: z.string().optional(),
  room_id: z.string().optional(),
  participant: z.string().optional(),
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
  authorization: AuthorizationRequiredSchema.extend({ expires_at: TimestampSchema }).optional(),
}).meta({ id: "Problem", description: "RFC 9457. `code` is for programs, `detail` for people." });
