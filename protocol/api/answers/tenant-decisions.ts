// Permission decisions across a tenant's sessions: questions, refusals and answers.
import { z } from "zod";

import { MAX_POSITION_TOKEN_CHARACTERS } from "../../limits/answers.ts";
import { DecisionSchema } from "./responses-people.ts";
import { pageOf } from "./responses.ts";
import { PageQuerySchema, TimestampSchema } from "../schemas/common.ts";

export const TenantDecisionListQuerySchema = PageQuerySchema.extend({
  page: z.string().max(MAX_POSITION_TOKEN_CHARACTERS).optional(),
  agent_id: z.string().max(200).optional(),
  end_user_id: z.string().max(200).optional(),
  session_id: z.string().max(200).optional(),
  tool_name: z.string().max(200).optional(),
  behavior: DecisionSchema.shape.behavior.optional(),
  /** The kind of who decided. */
  decided_by: DecisionSchema.shape.decided_by.shape.kind.optional(),
  /** Decisions of this moment or later. */
  decided_after: TimestampSchema.optional(),
  /** Decisions before this moment. */
  decided_before: TimestampSchema.optional(),
});
export type TenantDecisionListQuery = z.infer<typeof TenantDecisionListQuerySchema>;

/** A decision and its session, without the call's input, which the session's own record and messages have. */
export const TenantDecisionSchema = DecisionSchema.omit({ edited_input: true }).extend({
  session_id: z.string(),
  agent_id: z.string(),
  end_user_id: z.string().nullable(),
  /** Whether the answer changed the input. */
  is_edited: z.boolean(),
});
export type TenantDecision = z.infer<typeof TenantDecisionSchema>;

export const TenantDecisionPageSchema = pageOf(TenantDecisionSchema);
