// Members: the people of one tenant. The same person in two tenants is two members.
import * as z from "zod";

import { ApiKeySchema } from "../keys/contract.ts";
import { NameSchema, PageQuerySchema, pageOf, TimestampSchema } from "../schemas/common.ts";
import { MAX_EMAIL_CHARACTERS } from "./limits.ts";
import { MemberRoleSchema } from "./roles.ts";

/** Compared without regard to case, and stored in lower case. */
const EmailSchema = z.string().trim().toLowerCase().max(MAX_EMAIL_CHARACTERS).pipe(z.email());

/** The operator names the tenant; a tenant's key may leave it out. */
const tenant_id = z.string().optional();

export const MemberCreateSchema = z
  .strictObject({
    name: NameSchema,
    email: EmailSchema.optional(),
    role: MemberRoleSchema,
    tenant_id,
  })
  .meta({ id: "MemberCreate", description: "A person to invite." });

export const MemberUpdateSchema = z
  .strictObject({ name: NameSchema.optional(), role: MemberRoleSchema.optional(), tenant_id })
  .meta({ id: "MemberUpdate", description: "Members that are left out do not change." });

export const MemberLinkCreateSchema = z.strictObject({ tenant_id }).meta({
  id: "MemberLinkCreate",
  description: "The operator names the tenant; otherwise an empty object.",
});

export const MemberSchema = z
  .object({
    id: z.string(),
    tenant_id: z.string(),
    name: z.string(),
    /** Null where none was given, and 30 days after the member has left. */
    email: z.string().nullable(),
    role: MemberRoleSchema,
    /** `invited`: the link was not used yet; `removed`: signs in no more, and cannot come back. */
    status: z.enum(["invited", "active", "removed"]),
    created_at: TimestampSchema,
    /** The API key or the member that sent the invitation, or `operator`. */
    created_by: z.string(),
    /** When the link expires that was made last; null once it was used. */
    link_expires_at: TimestampSchema.nullable(),
    last_sign_in_at: TimestampSchema.nullable(),
    removed_at: TimestampSchema.nullable(),
  })
  .meta({ id: "Member", description: "A person of the tenant, without the secret of a link." });
export type Member = z.infer<typeof MemberSchema>;
export const MemberPageSchema = pageOf(MemberSchema).meta({ id: "MemberPage" });

/** The answers to an invitation and to a new link, the only ones that contain the link. */
export const InvitedMemberSchema = MemberSchema.extend({
  /** The secret is in the fragment, which browsers do not send. */
  url: z.string(),
}).meta({ id: "InvitedMember", description: "The one answer that shows the link." });
export type InvitedMember = z.infer<typeof InvitedMemberSchema>;

/** The things that stay when a member leaves. */
export const RemovedMemberSchema = MemberSchema.extend({
  /** Keys that the member made and that are not revoked. */
  api_keys: z.array(ApiKeySchema.pick({ id: true, name: true, prefix: true })),
  /** Identity providers that the member registered. */
  token_issuer_ids: z.array(z.string()),
  /** Sign-in providers that the member registered. */
  sign_in_provider_ids: z.array(z.string()),
  /** Sessions in which the member wrote rules, newest first, as far as the audit has them. */
  rule_session_ids: z.array(z.string()),
}).meta({ id: "RemovedMember", description: "A member that has left, and what stays." });
export type RemovedMember = z.infer<typeof RemovedMemberSchema>;

export const MemberQuerySchema = z.strictObject({ tenant_id });
export const MemberListQuerySchema = PageQuerySchema.extend({ tenant_id });
