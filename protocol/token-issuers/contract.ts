// Token issuers: identity providers whose JWTs a tenant accepts for its agents' MCP endpoints, and for what is remembered of
// an end user. The platform issues no such tokens; it checks the signature against the issuer's published keys.
import * as z from "zod";

import { MAX_ALLOWED_ORIGINS } from "../keys/limits.ts";
import {
  MAX_CLAIM_NAME_CHARACTERS,
  MAX_END_USER_PREFIX_CHARACTERS,
  MAX_ISSUER_AGENTS,
  MAX_ISSUER_CHARACTERS,
} from "./limits.ts";
import { OriginSchema, VerbSchema } from "../client-tokens/contract.ts";
import { NameSchema, TimestampSchema, pageOf } from "../schemas/common.ts";
import { EndUserShareChangeSchema } from "../quotas/end-user-share.ts";

/** Rights of an end user with such a token, beside reading what the agent answers. `memory` is for routes of sessions. @public */
export const IssuerVerbSchema = VerbSchema.extract([
  "reply",
  "confirm",
  "edit",
  "tool_result",
  "interrupt",
  "memory",
]);
export type IssuerVerb = z.infer<typeof IssuerVerbSchema>;

const AddressSchema = z.string().max(MAX_ISSUER_CHARACTERS).pipe(z.url());

const settings = {
  name: NameSchema,
  /** Compared with the claim `iss` character by character; shown to clients as the authorization server. */
  issuer: AddressSchema.refine(
    (issuer) => !/[?#]/.test(issuer),
    "an issuer has no query and no fragment",
  ),
  /** The address of the issuer's keys (RFC 7517). */
  jwks_url: AddressSchema,
  /** Has to be in the claim `aud`; null for the address of the agent's MCP endpoint (RFC 8707). */
  audience: z.string().min(1).max(MAX_ISSUER_CHARACTERS).nullable().default(null),
  /** The claim whose text is the end user's id. */
  end_user_claim: z.string().min(1).max(MAX_CLAIM_NAME_CHARACTERS).default("sub"),
  /** Put before the claim's text, so that the end users of two issuers differ. */
  end_user_prefix: z.string().max(MAX_END_USER_PREFIX_CHARACTERS).default(""),
  /** Without `confirm` and `tool_result` the end user sees what waits, and others answer it. */
  verbs: z
    .array(IssuerVerbSchema)
    .min(1)
    .max(IssuerVerbSchema.options.length)
    .default(["reply", "interrupt"]),
  /** The agents that its tokens may ask; null for all. */
  agent_ids: z.array(z.string().max(64)).min(1).max(MAX_ISSUER_AGENTS).nullable().default(null),
  /** Origins of pages that may send its tokens; null for none but this machine's and the platform's own. */
  allowed_origins: z.array(OriginSchema).min(1).max(MAX_ALLOWED_ORIGINS).nullable().default(null),
  /**
   * The share of each of its end users, where that is not as the tenant's `quotas` say; null for nothing of its own.
   */
  end_user_share: EndUserShareChangeSchema.nullable().default(null),
};

export const TokenIssuerCreateSchema = z.strictObject(settings).meta({
  id: "TokenIssuerCreate",
  description: "A new issuer. It cannot be changed: delete it and register another one.",
});
export type TokenIssuerCreate = z.input<typeof TokenIssuerCreateSchema>;

export const TokenIssuerSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    issuer: z.string(),
    jwks_url: z.string(),
    audience: z.string().nullable(),
    end_user_claim: z.string(),
    end_user_prefix: z.string(),
    verbs: z.array(IssuerVerbSchema),
    agent_ids: z.array(z.string()).nullable(),
    allowed_origins: z.array(z.string()).nullable(),
    created_at: TimestampSchema,
    /** The API key that registered it: its revocation with everything made with it ends the issuer too. */
    created_by: z.string(),
    end_user_share: EndUserShareChangeSchema.nullable(),
  })
  .meta({ id: "TokenIssuer", description: "An identity provider whose JWTs are accepted." });
export type TokenIssuer = z.infer<typeof TokenIssuerSchema>;

export const TokenIssuerPageSchema = pageOf(TokenIssuerSchema).meta({ id: "TokenIssuerPage" });
