// An agent of another system, as definitions name it: where its card is, and what its calls are signed in with.
import * as z from "zod";

import {
  MAX_CARD_BYTES,
  MAX_CARD_NAME_CHARACTERS,
  MAX_KEY_CHARACTERS,
  MAX_PINNED_KEYS,
} from "./remote-limits.ts";

const AddressSchema = z.url({ protocol: /^https?$/ });
const NameSchema = z.string().min(1).max(MAX_CARD_NAME_CHARACTERS);
/** Printable ASCII, as OAuth has it. */
const OAuthTextSchema = z
  .string()
  .min(1)
  .max(MAX_CARD_NAME_CHARACTERS)
  .regex(/^[\x20-\x7e]+$/, "printable ASCII, as OAuth has it");
/** A coordinate, a modulus or an exponent. */
const KeyTextSchema = z
  .string()
  .max(MAX_KEY_CHARACTERS)
  .regex(/^[A-Za-z0-9_-]+$/, "must be base64url");

const CardInRegistrySchema = z.strictObject({
  server: AddressSchema.describe(
    "The registry's address, with the path of its context; `/nacos` when there is none.",
  ),
  name: NameSchema.describe("The agent's name in the registry."),
  namespace: NameSchema.optional().describe("`public` when left out."),
  version: NameSchema.optional().describe("The registry's latest one when left out."),
  credential_id: z
    .string()
    .min(1)
    .max(64)
    .optional()
    .describe(
      "A credential with `username:password` of an account of the registry, which gives a token for it.",
    ),
});

/** @public */
export const CardSourceSchema = z.union(
  [
    z.strictObject({
      url: AddressSchema.describe(
        "The card's address, which ends in `.json`; else the well-known one is looked for below it.",
      ),
    }),
    z.strictObject({
      inline: z
        .record(z.string(), z.json())
        .refine((card) => JSON.stringify(card).length <= MAX_CARD_BYTES, {
          message: `a card may have ${MAX_CARD_BYTES} bytes at most`,
        })
        .describe("The card itself, of A2A 1.0 or 0.3."),
    }),
    z.strictObject({ file: NameSchema.describe("The name of a card of this deployment.") }),
    z.strictObject({
      nacos: CardInRegistrySchema.describe("A card in a Nacos registry, 3.1 or later."),
    }),
  ],
  { error: "must have one of `url`, `inline`, `file` and `nacos`" },
);
export type CardSource = z.infer<typeof CardSourceSchema>;

/** A public key (RFC 7517). Its private part is refused, as every unknown member. */
const PinnedKeySchema = z
  .discriminatedUnion("kty", [
    z.strictObject({
      kty: z.literal("EC"),
      crv: z.enum(["P-256", "P-384", "P-521"]),
      x: KeyTextSchema,
      y: KeyTextSchema,
      kid: NameSchema.optional(),
    }),
    z.strictObject({
      kty: z.literal("OKP"),
      crv: z.literal("Ed25519"),
      x: KeyTextSchema,
      kid: NameSchema.optional(),
    }),
    z.strictObject({
      kty: z.literal("RSA"),
      n: KeyTextSchema,
      e: KeyTextSchema,
      kid: NameSchema.optional(),
    }),
  ])
  .meta({ id: "A2aPinnedKey", description: "A public key that a card is signed with." });
export type PinnedKey = z.infer<typeof PinnedKeySchema>;

/** The members that a tool and a model of an agent of another system have in common. */
export const remoteAgentMembers = {
  card: CardSourceSchema.describe("Where the agent's card is, which says how it is reached."),
  credential_id: z
    .string()
    .min(1)
    .max(64)
    .optional()
    .describe("Sent as the card's schemes say; the client's secret where `oauth` is given."),
  security_scheme: NameSchema.optional().describe(
    "The name of the card's scheme that the credential is for; the first one that it can be used with when left out.",
  ),
  oauth: z
    .strictObject({
      client_id: OAuthTextSchema.describe("The client's id."),
      scope: OAuthTextSchema.optional().describe(
        "Separated by spaces; what the card requires when left out.",
      ),
      token_url: AddressSchema.optional().describe(
        "The address that gives tokens, which gets the client's secret. The card's scheme has to name it; when left out, one of the origin that the card came from, or in the card of the definition.",
      ),
    })
    .optional()
    .describe("The client that gets tokens by client credentials, where the card's scheme says."),
  pinned_keys: z
    .array(PinnedKeySchema)
    .min(1)
    .max(MAX_PINNED_KEYS)
    .optional()
    .describe(
      "Public keys, as JWK: a card that none of them has signed is not used. Not checked when left out.",
    ),
  pinned_address: AddressSchema.optional().describe(
    "The agent's address that the credential is for. When left out, one of the origin that the card came from, or the one in the card of the definition.",
  ),
};

export const RemoteAgentSchema = z.strictObject(remoteAgentMembers);
export type RemoteAgent = z.infer<typeof RemoteAgentSchema>;

/** Members that only have a meaning together. */
export function refineRemoteAgent(agent: RemoteAgent, context: z.RefinementCtx): void {
  if (agent.credential_id !== undefined) return;
  const refuse = (path: string, message: string) =>
    context.addIssue({ code: "custom", path: [path], message });
  if (agent.oauth) refuse("credential_id", "a client of OAuth needs a credential with its secret");
  if (agent.security_scheme !== undefined) {
    refuse("credential_id", "a scheme needs a credential that is sent by it");
  }
}
