// Messages of the console's member sign-in: links, and passkeys in the JSON forms of WebAuthn level 3, as browsers write and
// read them. They are no part of the API.
import * as z from "zod";

import { MAX_CONSOLE_SECRET_CHARACTERS } from "../keys/limits.ts";
import { MAX_PASSKEY_FIELD_CHARACTERS } from "./limits.ts";
import type { OperatorRole } from "./operator-roles.ts";
import type { MemberRole } from "./roles.ts";

const field = z.string().min(1).max(MAX_PASSKEY_FIELD_CHARACTERS);
/** Browsers add members; those that are not named here are left out. */
const credential = { id: field, rawId: field, type: z.literal("public-key") };

const RegisteredPasskeySchema = z.object({
  ...credential,
  response: z.object({ clientDataJSON: field, attestationObject: field }),
});
export type RegisteredPasskey = z.infer<typeof RegisteredPasskeySchema>;

const SignedPasskeySchema = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: field,
    authenticatorData: field,
    signature: field,
    userHandle: field.nullish(),
  }),
});
export type SignedPasskey = z.infer<typeof SignedPasskeySchema>;

const secret = z.string().max(MAX_CONSOLE_SECRET_CHARACTERS);
/** Named by the pages of tenants, and by none of the operator's. */
const tenant_id = z.string().max(64).optional();

export const MemberLinkReadSchema = z.strictObject({ tenant_id, secret });
/** Without a passkey where the platform's host cannot have any. */
export const MemberLinkUseSchema = z.strictObject({
  tenant_id,
  secret,
  passkey: RegisteredPasskeySchema.optional(),
});
export const PasskeyChallengeRequestSchema = z.strictObject({ tenant_id });
export const PasskeySignInSchema = z.strictObject({ tenant_id, passkey: SignedPasskeySchema });

/** Content of the page before a member's link is used. */
export interface MemberInvitation {
  /** Null for the operator's console. */
  readonly tenant: { readonly id: string; readonly name: string } | null;
  readonly member: { readonly name: string; readonly role: MemberRole | OperatorRole };
  readonly expires_at: string;
  /** `PublicKeyCredentialCreationOptionsJSON`; null where the host cannot have passkeys: the link then signs in by itself. */
  readonly passkey: object | null;
  /** The sign-in providers there: each may take the place of a passkey. */
  readonly providers: readonly { readonly id: string; readonly name: string }[];
}

/** The answer to a request for a challenge, for any tenant's id. */
export interface PasskeyChallenge {
  /** `PublicKeyCredentialRequestOptionsJSON`; null where the host cannot have passkeys. */
  readonly passkey: object | null;
}
