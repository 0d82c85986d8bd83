// Client tokens: minted by a tenant for one session and a set of verbs, for an app that must not hold an API key.
import { z } from "zod";

import {
  DEFAULT_TOKEN_TTL_SECONDS,
  MAX_ALLOWED_ORIGINS,
  MAX_TOKEN_TTL_SECONDS,
} from "../limits/authentication.ts";
import type { Scope } from "./api-keys.ts";
import { TimestampSchema } from "./schemas/common.ts";

/** `edit` is about an answer's input and goes with `confirm`: by itself it opens nothing. */
export const VerbSchema = z.enum(["read", "reply", "confirm", "edit", "tool_result", "interrupt"]);
export type Verb = z.infer<typeof VerbSchema>;

/** What an API key must hold to give a token this verb: a token can do nothing that its maker cannot. */
export const VERB_SCOPES: Readonly<Record<Verb, Scope>> = {
  read: "sessions:read",
  reply: "replies:write",
  confirm: "confirmations:write",
  edit: "confirmations:write",
  tool_result: "tool_results:write",
  interrupt: "replies:write",
};

/** As a browser writes it: scheme and host in lower case, a port only where it is not the scheme's own. */
const ORIGIN =
  /^[a-z][a-z0-9+.-]{0,31}:\/\/(?:[a-z0-9_.-]{1,253}|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/;
const OWN_PORT = /^(?:http:.*:80|https:.*:443)$/;

/** `https://app.example`, without a path: what a browser sends as `Origin`. */
const OriginSchema = z
  .string()
  .regex(ORIGIN, "an origin is a scheme and a host, such as https://app.example")
  .refine((origin) => !OWN_PORT.test(origin), "a browser leaves the scheme's own port out");

export const ClientTokenCreateSchema = z.strictObject({
  verbs: z
    .array(VerbSchema)
    .min(1)
    .max(VerbSchema.options.length)
    .default(["read", "reply", "interrupt"]),
  ttl_seconds: z
    .number()
    .int()
    .min(1)
    .max(MAX_TOKEN_TTL_SECONDS)
    .default(DEFAULT_TOKEN_TTL_SECONDS),
  /** Origins of the pages that may use it; any, and apps that are no pages, when left out. */
  allowed_origins: z.array(OriginSchema).min(1).max(MAX_ALLOWED_ORIGINS).optional(),
});
export type ClientTokenCreate = z.input<typeof ClientTokenCreateSchema>;

export const ClientTokenSchema = z.object({
  id: z.string(),
  session_id: z.string(),
  verbs: z.array(VerbSchema),
  allowed_origins: z.array(z.string()).nullable(),
  created_at: TimestampSchema,
  expires_at: TimestampSchema,
  /** The API key that minted it; null for one from before this was kept. */
  key_id: z.string().nullable(),
  /** The token itself. It is shown this once. */
  token: z.string(),
});
export type ClientToken = z.infer<typeof ClientTokenSchema>;

/** One that was minted before, for a request that comes again. */
export const MintedTokenSchema = ClientTokenSchema.omit({ token: true });

/** In a list. What is null was not kept yet when it was minted; null origins are any, too. */
export const LiveTokenSchema = MintedTokenSchema.extend({
  verbs: z.array(VerbSchema).nullable(),
  created_at: TimestampSchema.nullable(),
});
export type LiveToken = z.infer<typeof LiveTokenSchema>;

/** What the session's object keeps of a token. */
export interface ClientTokenRecord {
  readonly id: string;
  readonly expires_at: string;
  readonly verbs?: readonly Verb[];
  readonly allowed_origins?: readonly string[] | null;
  readonly created_at?: string;
  readonly key_id?: string | null;
}
