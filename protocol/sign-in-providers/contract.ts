// Sign-in providers: OpenID providers at which the tenant's people sign in to the console. Token issuers vouch for end users,
// and are not used here.
import * as z from "zod";

import { NameSchema, TimestampSchema, pageOf } from "../schemas/common.ts";
import { MAX_PROVIDER_ADDRESS_CHARACTERS } from "./limits.ts";

const settings = {
  name: NameSchema,
  /** The claim `iss`, and where the provider's configuration is: `{issuer}/.well-known/openid-configuration`. */
  issuer: z
    .string()
    .max(MAX_PROVIDER_ADDRESS_CHARACTERS)
    .pipe(z.url())
    .refine((issuer) => !/[?#]/.test(issuer), "an issuer has no query and no fragment")
    .refine(
      (issuer) => !/\/\.well-known\//.test(issuer),
      "an issuer is the address before /.well-known/openid-configuration",
    ),
  client_id: z.string().min(1).max(MAX_PROVIDER_ADDRESS_CHARACTERS),
  /** The credential that has the client's secret, bound to the host of the token endpoint; null for a client without one. */
  credential_id: z.string().max(64).nullable().default(null),
};

export const SignInProviderCreateSchema = z.strictObject(settings).meta({
  id: "SignInProviderCreate",
  description: "A new provider. It cannot be changed: delete it and register another one.",
});
export type SignInProviderCreate = z.input<typeof SignInProviderCreateSchema>;

export const SignInProviderSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    issuer: z.string(),
    client_id: z.string(),
    credential_id: z.string().nullable(),
    /** Registered at the provider, for the way back. */
    redirect_url: z.string(),
    /** Members who sign in by it: those who lose their way in with it. */
    member_count: z.number().int().nonnegative(),
    created_at: TimestampSchema,
    created_by: z.string(),
  })
  .meta({
    id: "SignInProvider",
    description: "An OpenID provider at which members sign in to the console.",
  });
export type SignInProvider = z.infer<typeof SignInProviderSchema>;

export const SignInProviderPageSchema = pageOf(SignInProviderSchema).meta({
  id: "SignInProviderPage",
});
