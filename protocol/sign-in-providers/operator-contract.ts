// Sign-in providers of the operator's own people. As a tenant's, but for the client's secret: the operator has no credentials.
import * as z from "zod";

import { pageOf } from "../schemas/common.ts";
import { SignInProviderCreateSchema, SignInProviderSchema } from "./contract.ts";
import { MAX_CLIENT_SECRET_CHARACTERS } from "./limits.ts";

export const OperatorSignInProviderCreateSchema = SignInProviderCreateSchema.omit({
  credential_id: true,
})
  .extend({
    /** Left out for a client without one. It is kept encrypted, and sent to the host of the token endpoint alone. */
    client_secret: z.string().min(1).max(MAX_CLIENT_SECRET_CHARACTERS).optional(),
  })
  .meta({
    id: "OperatorSignInProviderCreate",
    description: "A new provider. It cannot be changed: delete it and register another one.",
  });

export const OperatorSignInProviderSchema = SignInProviderSchema.omit({ credential_id: true })
  .extend({
    /** The secret itself is never shown. */
    has_client_secret: z.boolean(),
  })
  .meta({
    id: "OperatorSignInProvider",
    description: "An OpenID provider at which the operator's people sign in to the console.",
  });
export type OperatorSignInProvider = z.infer<typeof OperatorSignInProviderSchema>;

export const OperatorSignInProviderPageSchema = pageOf(OperatorSignInProviderSchema).meta({
  id: "OperatorSignInProviderPage",
});
