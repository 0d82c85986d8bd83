// Permission decisions across a tenant's sessions: questions, refusals and answers.
import * as z from "zod";

import { MAX_POSITION_TOKEN_CHARACTERS } from "../confirmations/limits.ts";
import { DecisionSchema } from "../permission/contract.ts";
import { pageOf, PageQuerySchema, TimestampSchema } from "../schemas/common.ts";
import type { Frozen } from "../messages/frozen.ts";

export const TenantDecisionListQuerySchema = PageQuerySchema.extend({
  page: z.string().max(MAX_POSITION_TOKEN_CHARACTERS).optional(),
  agent_id: z.string().max(200).optional(),
  end_user_id: z.string().max(200).optional(),
  session_id: z.string().max(200).optional(),
  tool_name: z.string().max(200).optional(),
  behavior: z.enum(["allow", "ask", "deny"]).optional(),
  /** The kind of who decided. */
  decided_by: z
    .enum([
      "platform",
      "api_key",
      "client_token",
      "end_user",
      "callback",
      "inbound_endpoint",
      "member",
    ])
    .optional(),
  /** Answers of who asks for the list, or of anybody else: a key, a member, an end user. */
  answered_by: z.enum(["me", "others"]).optional(),
  /** Decisions of this moment or later. */
  decided_after: TimestampSchema.optional(),
  /** Decisions before this moment. */
  decided_before: TimestampSchema.optional(),
});
export type TenantDecisionListQuery = z.infer<typeof TenantDecisionListQuerySchema>;

/** A decision and its session, without the call's input, which the session's own record and messages have. @public */
export const TenantDecisionSchema = DecisionSchema.omit({ edited_input: true })
  .extend({
    session_id: z.string(),
    agent_id: z.string(),
    end_user_id: z.string().nullable(),
    /** Whether the answer changed the input. */
    is_edited: z.boolean(),
  })
  .meta({ id: "TenantDecision", description: "One decision about a tool call, with its session." });
export interface TenantDecision extends Frozen<z.infer<typeof TenantDecisionSchema>> {}
export const TenantDecisionPageSchema = pageOf(TenantDecisionSchema).meta({
  id: "TenantDecisionPage",
});
