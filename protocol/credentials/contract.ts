// Credentials: secrets for models and tools. Write-only: no answer returns a secret.
import * as z from "zod";

import {
  MAX_ALLOWED_HOST_CHARACTERS,
  MAX_ALLOWED_HOSTS,
  MAX_CREDENTIAL_CHARACTERS,
} from "./limits.ts";
import { NameSchema, TimestampSchema, pageOf } from "../schemas/common.ts";

/** The use of the secret: one of type `model` is never sent to a tool, and the reverse. @public */
export const CredentialTypeSchema = z.enum(["model", "tool"]);
export type CredentialType = z.infer<typeof CredentialTypeSchema>;

/** Sent as a header value, so it is printable ASCII without spaces at its ends. */
const secret = z
  .string()
  .max(MAX_CREDENTIAL_CHARACTERS)
  .regex(/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/, {
    message: "a secret is printable ASCII, without spaces at its ends",
  });

/**
 * The only hosts that the secret may be sent to: `api.example.com`, `*.example.com` for all subdomains but not the
 * domain itself, `localhost:8080`. A host without a port means the scheme's default port.
 */
const allowedHosts = z
  .array(
    z
      .string()
      .max(MAX_ALLOWED_HOST_CHARACTERS)
      .regex(/^(?:(?:\*\.)?[^\s/@?#\\%*:[\]]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/, {
        message:
          "a host is a name such as api.example.com, *.example.com or localhost:8080, without https:// and without a path",
      }),
  )
  .min(1)
  .max(MAX_ALLOWED_HOSTS);

export const CredentialCreateSchema = z
  .strictObject({
    name: NameSchema,
    type: CredentialTypeSchema,
    secret,
    allowed_hosts: allowedHosts,
  })
  .meta({ id: "CredentialCreate" });
export type CredentialCreate = z.infer<typeof CredentialCreateSchema>;

/** Members that are left out stay unchanged. The id stays too: agents and sessions that name it need no change. */
export const CredentialUpdateSchema = z
  .strictObject({ name: NameSchema, secret, allowed_hosts: allowedHosts })
  .partial()
  .meta({ id: "CredentialUpdate", description: "Members that are left out do not change." });
export type CredentialUpdate = z.infer<typeof CredentialUpdateSchema>;

export const CredentialSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    type: CredentialTypeSchema,
    /** Null for credentials older than this field, which may be sent to any host until they get a list. */
    allowed_hosts: z.array(z.string()).nullable(),
    /** Starts at 1; incremented by a new secret and by a change of the hosts. */
    version: z.number().int().positive(),
    created_at: TimestampSchema,
    updated_at: TimestampSchema,
  })
  .meta({ id: "Credential", description: "A secret for models or tools, without the secret." });
export type Credential = Omit<z.infer<typeof CredentialSchema>, "allowed_hosts"> & {
  readonly allowed_hosts: readonly string[] | null;
};

export const CredentialPageSchema = pageOf(CredentialSchema).meta({ id: "CredentialPage" });
