// Credentials: secrets that agents use towards models and tools. They go in and never come out again.
import { z } from "zod";

import { MAX_CREDENTIAL_CHARACTERS } from "../limits.ts";
import { NameSchema, TimestampSchema } from "./common.ts";

/** What the secret is for: one that is meant for a model is never sent to a tool, nor the other way round. */
export const CredentialTypeSchema = z.enum(["model", "tool"]);
export type CredentialType = z.infer<typeof CredentialTypeSchema>;

export const CredentialCreateSchema = z.strictObject({
  name: NameSchema,
  type: CredentialTypeSchema,
  /** Travels in a header, so it is printable ASCII without spaces at its ends. No answer ever holds it. */
  secret: z
    .string()
    .max(MAX_CREDENTIAL_CHARACTERS)
    .regex(/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/, {
      message: "a secret is printable ASCII, without spaces at its ends",
    }),
});
export type CredentialCreate = z.infer<typeof CredentialCreateSchema>;

export const CredentialSchema = z.object({
  id: z.string(),
  name: z.string(),
  type: CredentialTypeSchema,
  created_at: TimestampSchema,
});
export type Credential = z.infer<typeof CredentialSchema>;
