// One-time links that sign a browser in to the console, and what the console's page is told of its session.
import * as z from "zod";

import type { OperatorRight, OperatorRole } from "../members/operator-roles.ts";
import type { MemberRole } from "../members/roles.ts";
import { MAX_CONSOLE_SECRET_CHARACTERS } from "../keys/limits.ts";
import { TimestampSchema } from "../schemas/common.ts";
import { AskedScopeSchema, ScopeSchema } from "../keys/contract.ts";

export const ConsoleLinkCreateSchema = z
  .strictObject({
    /** Rights of the console: some scopes of the key that makes the link, all of them by default. */
    scopes: z.array(AskedScopeSchema).min(1).optional(),
  })
  .meta({
    id: "ConsoleLinkCreate",
    description: "What the console may do. Every member may be left out.",
  });

export const ConsoleLinkSchema = z
  .object({
    /** Names the console session that the link opens. */
    id: z.string(),
    /** Null for the operator's console. */
    tenant_id: z.string().nullable(),
    /** Null for the operator's console, which has the rights of the operator's key. */
    scopes: z.array(ScopeSchema).nullable(),
    created_at: TimestampSchema,
    /** The link opens one session before this moment, and none after it. */
    expires_at: TimestampSchema,
  })
  .meta({ id: "ConsoleLink", description: "A sign-in link without its secret." });
export type ConsoleLink = z.infer<typeof ConsoleLinkSchema>;

/** The answer to the creation, the only one that contains the link itself. */
export const CreatedConsoleLinkSchema = ConsoleLinkSchema.extend({
  /** The secret is in the fragment, which browsers do not send, so that it reaches no log. */
  url: z.string(),
}).meta({ id: "CreatedConsoleLink", description: "The one answer that contains the link itself." });
export type CreatedConsoleLink = z.infer<typeof CreatedConsoleLinkSchema>;

/** The body that the sign-in page posts: the fragment of its address. */
export const ConsoleSignInSchema = z.strictObject({
  secret: z.string().max(MAX_CONSOLE_SECRET_CHARACTERS),
});

/** The content of the sign-in page before the link is used. */
export interface ConsoleInvitation {
  /** Null for the operator's console. */
  readonly tenant: { readonly id: string; readonly name: string } | null;
  readonly expires_at: string;
}

/** The answer to the exchange of the session's cookie. */
export interface ConsoleAccess {
  /** Sent as `Authorization: Bearer`; held in memory alone. */
  readonly token: string;
  readonly expires_at: string;
  readonly session: {
    readonly id: string;
    readonly tenant: { readonly id: string; readonly name: string } | null;
    readonly scopes: readonly string[] | null;
    /** Rights in the operator's console: all of them for a session that a link has opened. Missing in a tenant's. */
    readonly rights?: readonly OperatorRight[];
    /** The person who has signed in; missing for a session that a link has opened. */
    readonly member?: {
      readonly id: string;
      readonly name: string;
      /** Of the operator's in its console. */
      readonly role: MemberRole | OperatorRole;
    };
    /** When the session ends at the latest. */
    readonly ends_at: string;
  };
}

/** The reason that a link or a session is refused; the member `reason` of the problem. */
export type ConsoleRefusal =
  | "link_unknown"
  | "link_used"
  | "link_expired"
  | "signed_out"
  | "session_expired"
  | "key_revoked"
  | "member_removed"
  | "member_link_ended"
  | "sign_in_refused"
  | "provider_unknown"
  | "provider_refused"
  | "provider_sign_in_ended"
  | "identity_unknown"
  | "identity_taken";
