// The audit log of administrative acts: who changed what, with which credential, from which address.
import * as z from "zod";

import { MAX_AUDIT_QUERY_CHARACTERS } from "./limits.ts";
import { PageQuerySchema, TimestampSchema, pageOf } from "../schemas/common.ts";

/** The acts that are recorded. Client tokens are not: they are many, live for minutes, and are listed per session. @public */
export const AuditActionSchema = z
  .enum([
    "tenant.created",
    "tenant.updated",
    "tenant.closed",
    "api_key.created",
    "api_key.rotated",
    "api_key.revoked",
    "member.invited",
    "member.joined",
    "member.updated",
    "member.link_renewed",
    "member.removed",
    "sign_in_provider.created",
    "sign_in_provider.deleted",
    "credential.created",
    "credential.updated",
    "credential.deleted",
    "agent.created",
    "agent.updated",
    "agent.version_retired",
    "agent.version_restored",
    "agent.deleted",
    "agent.checked",
    "skill.created",
    "skill.version_created",
    "skill.deleted",
    "memory_store.created",
    "memory_store.deleted",
    "memory_consolidation.started",
    "memory_consolidation.cancelled",
    "memory.corrected",
    "memory.deleted",
    "memory.redacted",
    "mcp_server.created",
    "mcp_server.updated",
    "mcp_server.deleted",
    "mcp_tool.called",
    "mcp_page.read",
    "connection.completed",
    "connection.deleted",
    "file.link_created",
    "file.deleted",
    "console_link.created",
    "console_session.started",
    "console_session.ended",
    "webhook_endpoint.created",
    "webhook_endpoint.updated",
    "webhook_endpoint.deleted",
    "webhook_endpoint.secret_rotated",
    "webhook_endpoint.tested",
    "inbound_endpoint.created",
    "inbound_endpoint.deleted",
    "inbound_endpoint.secret_rotated",
    "trigger.created",
    "trigger.updated",
    "trigger.deleted",
    "trigger.paused",
    "trigger.unpaused",
    "trigger.secret_rotated",
    "trigger.run",
    "token_issuer.created",
    "token_issuer.deleted",
    "session_search.updated",
    "session.permission_changed",
    "session.content_vouched",
    "session.version_changed",
    "session.hooks_changed",
    "session.tools_changed",
    "session.tool_groups_changed",
    "session.rules_added",
    "session.rule_removed",
    "session.replayed",
    "tool.called",
    "session.deleted",
    "room.created",
    "room.bounds_changed",
    "room.state_imported",
    "room.deleted",
    "room_participant.added",
    "room_participant.deleted",
    "end_user.deleted",
  ])
  .meta({ id: "AuditAction", description: "A kind of resource, and what was done to it." });
export type AuditAction = z.infer<typeof AuditActionSchema>;

const AuditActorSchema = z.object({
  kind: z.enum(["operator", "api_key", "member"]),
  /** Id of the API key or of the member, also of one of the operator's; null for the operator's key. */
  id: z.string().nullable(),
  /** A member's name at the time of the act, also of one of the operator's; missing for keys. */
  name: z.string().optional(),
  /** The console session in which a person has acted; missing for acts without the console. */
  console_session_id: z.string().optional(),
});

/** Only the members that changed. */
const AuditedSchema = z.record(z.string(), z.unknown()).nullable();

/** @public */
export const AuditEntrySchema = z
  .object({
    id: z.string(),
    created_at: TimestampSchema,
    actor: AuditActorSchema,
    action: AuditActionSchema,
    target_id: z.string(),
    before: AuditedSchema,
    after: AuditedSchema,
    address: z.string().nullable(),
    request_id: z.string(),
  })
  .meta({ id: "AuditEntry", description: "One administrative act. Entries are never changed." });
export type AuditEntry = z.infer<typeof AuditEntrySchema>;
export const AuditPageSchema = pageOf(AuditEntrySchema).meta({ id: "AuditPage" });

/** @public */
export const AuditFilterSchema = z.object({
  action: AuditActionSchema.optional(),
  actor_id: z.string().max(MAX_AUDIT_QUERY_CHARACTERS).optional(),
  target_id: z.string().max(MAX_AUDIT_QUERY_CHARACTERS).optional(),
  /** Acts of this moment or later. */
  created_after: TimestampSchema.optional(),
  /** Acts before this moment. */
  created_before: TimestampSchema.optional(),
});
export type AuditFilter = z.infer<typeof AuditFilterSchema>;

export const AuditQuerySchema = PageQuerySchema.extend({
  ...AuditFilterSchema.shape,
  /** `jsonl` exports all entries that match, oldest first; `page` and `limit` are ignored then. */
  format: z.enum(["json", "jsonl"]).optional(),
  /** The operator names the tenant; a tenant's key may leave it out. */
  tenant_id: z.string().max(MAX_AUDIT_QUERY_CHARACTERS).optional(),
});
