// Client tokens: minted by a tenant for one session and a set of verbs, for an app that must not hold an API key.
import * as z from "zod";

import {
  DEFAULT_TOKEN_TTL_SECONDS,
  MAX_ALLOWED_ORIGINS,
  MAX_TOKEN_TTL_SECONDS,
} from "../keys/limits.ts";
import type { Scope } from "../keys/contract.ts";
import { TimestampSchema, pageOf } from "../schemas/common.ts";

/** `edit` (changing the input of a call that is being confirmed) only works together with `confirm`. */
export const VerbSchema = z
  .enum([
    "read",
    "reply",
    "confirm",
    "edit",
    "tool_result",
    "interrupt",
    "upload",
    "memory",
    "speak",
  ])
  .meta({
    id: "Verb",
    only: "answer",
    description:
      "What a client token may do. `edit` requires `confirm`: a confirmation may then change the call's input.",
  });
export type Verb = z.infer<typeof VerbSchema>;

/** The scope that an API key needs to mint a token with this verb: a token never exceeds the rights of its creator. */
export const VERB_SCOPES: Readonly<Record<Verb, Scope>> = {
  read: "sessions:read",
  reply: "replies:write",
  confirm: "confirmations:write",
  edit: "confirmations:write",
  tool_result: "tool_results:write",
  interrupt: "replies:write",
  upload: "files:write",
  memory: "memories:write",
  speak: "replies:write",
};

/** All scopes that its maker needs: the verb `memory` reads and writes. */
export function scopesOfVerb(verb: Verb): readonly Scope[] {
  return verb === "memory" ? ["memories:read", VERB_SCOPES.memory] : [VERB_SCOPES[verb]];
}

/** An origin as browsers serialise it: lower-case scheme and host, port only when not the scheme's default. */
const ORIGIN =
  /^[a-z][a-z0-9+.-]{0,31}:\/\/(?:[a-z0-9_.-]{1,253}|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/;
const OWN_PORT = /^(?:http:.*:80|https:.*:443)$/;

/** `https://app.example`, without a path: what a browser sends as `Origin`. */
export const OriginSchema = z
  .string()
  .regex(ORIGIN, "an origin is a scheme and a host, such as https://app.example")
  .refine((origin) => !OWN_PORT.test(origin), "a browser leaves the scheme's own port out");

export const ClientTokenCreateSchema = z
  .strictObject({
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
    /** Allowed origins; any origin, and clients other than browsers, when left out. */
    allowed_origins: z.array(OriginSchema).min(1).max(MAX_ALLOWED_ORIGINS).optional(),
  })
  .meta({
    id: "ClientTokenCreate",
    description: "A token for one session. Every member may be left out.",
  });

export const ClientTokenSchema = z
  .object({
    id: z.string(),
    session_id: z.string(),
    verbs: z.array(VerbSchema),
    allowed_origins: z.array(z.string()).nullable(),
    created_at: TimestampSchema,
    expires_at: TimestampSchema,
    /** Id of the API key that minted it; null for tokens older than this field. */
    key_id: z.string().nullable(),
    /** The token itself. Only this answer contains it. */
    token: z.string(),
  })
  .meta({ id: "ClientToken", description: "The one answer that shows a client token." });
export type ClientToken = z.infer<typeof ClientTokenSchema>;

/** The answer to a repeated request: the token was minted before, and is not shown again. */
export const MintedTokenSchema = ClientTokenSchema.omit({ token: true }).meta({
  id: "MintedToken",
  description: "A client token that a request with the same Idempotency-Key has minted before.",
});

/** A token in a list. Null marks fields that were not stored when it was minted; null origins mean any. @public */
export const LiveTokenSchema = MintedTokenSchema.extend({
  verbs: z.array(VerbSchema).nullable(),
  created_at: TimestampSchema.nullable(),
}).meta({ id: "LiveToken", description: "A client token that is valid at this moment." });
export type LiveToken = z.infer<typeof LiveTokenSchema>;

/** The record of a token in the session's object. */
export interface ClientTokenRecord {
  readonly id: string;
  readonly expires_at: string;
  readonly verbs?: readonly Verb[];
  readonly allowed_origins?: readonly string[] | null;
  readonly created_at?: string;
  readonly key_id?: string | null;
}

export const LiveTokenPageSchema = pageOf(LiveTokenSchema).meta({ id: "LiveTokenPage" });
