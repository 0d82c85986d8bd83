// Credentials: secrets that agents use towards models and tools. They go in and never come out again.
import { z } from "zod";

import {
  MAX_ALLOWED_HOST_CHARACTERS,
  MAX_ALLOWED_HOSTS,
  MAX_CREDENTIAL_CHARACTERS,
} from "../limits/credentials.ts";
import { NameSchema, TimestampSchema } from "./schemas/common.ts";

/** What the secret is for: one that is meant for a model is never sent to a tool, nor the other way round. */
export const CredentialTypeSchema = z.enum(["model", "tool"]);
export type CredentialType = z.infer<typeof CredentialTypeSchema>;

/** Travels in a header, so it is printable ASCII without spaces at its ends. No answer ever holds it. */
const secret = z
  .string()
  .max(MAX_CREDENTIAL_CHARACTERS)
  .regex(/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/, {
    message: "a secret is printable ASCII, without spaces at its ends",
  });

/**
 * Hosts to which it may be sent, and no others: `api.example.com`, `*.example.com` for every name below it and not
 * itself, `localhost:8080`. A host without a port is the one at the usual port.
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

export const CredentialCreateSchema = z.strictObject({
  name: NameSchema,
  type: CredentialTypeSchema,
  secret,
  allowed_hosts: allowedHosts,
});
export type CredentialCreate = z.infer<typeof CredentialCreateSchema>;

/** What is left out stays as it is. Its id stays too: agents and sessions that name it need no change. */
export const CredentialUpdateSchema = z
  .strictObject({ name: NameSchema, secret, allowed_hosts: allowedHosts })
  .partial();
export type CredentialUpdate = z.infer<typeof CredentialUpdateSchema>;

export const CredentialSchema = z.object({
  id: z.string(),
  name: z.string(),
  type: CredentialTypeSchema,
  /** Null for one from before this was asked for: it may be sent to any host until it gets some. */
  allowed_hosts: z.array(z.string()).nullable(),
  /** Counts from 1; a new secret and a change of the hosts each add one. */
  version: z.number().int().positive(),
  created_at: TimestampSchema,
  updated_at: TimestampSchema,
});
export type Credential = Omit<z.infer<typeof CredentialSchema>, "allowed_hosts"> & {
  readonly allowed_hosts: readonly string[] | null;
};
