// Messages of the console's sign-in at a provider. They are no part of the API.
import * as z from "zod";

import { MAX_CONSOLE_SECRET_CHARACTERS } from "../keys/limits.ts";
import { MAX_RETURNED_CHARACTERS } from "./limits.ts";

const id = z.string().max(64);
/** Named by the pages of tenants, and by none of the operator's. */
const tenant_id = id.optional();

export const SignInChoicesReadSchema = z.strictObject({ tenant_id });
/** With the secret of a member's link, it binds the identity; without one, it signs in. */
export const ProviderSignInSchema = z.strictObject({
  tenant_id,
  provider_id: id,
  secret: z.string().max(MAX_CONSOLE_SECRET_CHARACTERS).optional(),
});
/** `returned` is the query with which the provider has sent the browser back. */
export const ProviderReturnSchema = z.strictObject({
  provider_id: id,
  returned: z.string().max(MAX_RETURNED_CHARACTERS),
});

/** The answer about any tenant's id: empty for one without providers, and for an id that is no tenant's. */
export interface SignInChoices {
  readonly providers: readonly { readonly id: string; readonly name: string }[];
}

/** The answer to the begin of a sign-in: where the browser goes. */
export interface SignInAddress {
  readonly url: string;
}
