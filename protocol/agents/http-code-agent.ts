// An agent in code on a server of its tenant: the definition, and what its server answers with.
import * as z from "zod";

import { CredentialIdSchema } from "../models/contract.ts";
import { SecretHeadersSchema } from "../schemas/header-fields.ts";
import { refineHeaderFields } from "../tools/secret-headers.ts";
import { DEFAULT_AGENT_TURN_MS, MAX_AGENT_TURN_MS } from "./limits.ts";

/** @public */
export const HttpCodeAgentSchema = z
  .strictObject({
    type: z.literal("http"),
    url: z.url({ protocol: /^https?$/ }),
    /** A credential of type `tool` whose secret is `whsec_…`: requests are signed as in Standard Webhooks. */
    signing_credential_id: CredentialIdSchema,
    /** Credential ids (type `tool`) by header name; each secret is sent unchanged as that header's value. */
    secret_headers: SecretHeadersSchema.optional(),
    /** Milliseconds that one turn may take, to the last byte of its answer. */
    timeout_ms: z.number().int().min(1).max(MAX_AGENT_TURN_MS).default(DEFAULT_AGENT_TURN_MS),
    /** Without a valid answer: `open` hands over to the model loop, `closed` ends the reply with an error. */
    on_failure: z.enum(["open", "closed"]).default("closed"),
    /** Whether it is told of observed messages. */
    observe: z.boolean().default(false),
    /** Whether it says what a reply says after a user has interrupted it. */
    handle_interrupt: z.boolean().default(false),
  })
  .superRefine((definition, context) =>
    refineHeaderFields(definition, (field, header, message) =>
      context.addIssue({ code: "custom", path: [field, header], message }),
    ),
  )
  .meta({
    id: "HttpCodeAgent",
    description: "An agent in code on a server of the tenant, which is asked for each turn.",
  });
export type HttpCodeAgent = z.infer<typeof HttpCodeAgentSchema>;
