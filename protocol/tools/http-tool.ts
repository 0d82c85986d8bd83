import * as z from "zod";

import { MAX_BACKGROUND_TIMEOUT_MS } from "../background/limits.ts";
import { CredentialIdSchema } from "../models/contract.ts";
import { HeaderFieldsSchema, SecretHeadersSchema } from "../schemas/header-fields.ts";
import { DEFAULT_TOOL_MAX_BYTES, DEFAULT_TOOL_TIMEOUT_MS, MAX_TOOL_MAX_BYTES } from "./limits.ts";
import { ToolNameSchema, toolFlags } from "./named-tool.ts";

/** A tool that is a POST to the tenant's own server. */
export const HttpToolSchema = z
  .strictObject({
    type: z.literal("http"),
    name: ToolNameSchema,
    description: z.string().max(4_096).default(""),
    /** JSON Schema of the call's input: an object. */
    input_schema: z.record(z.string(), z.json()).default({ type: "object" }),
    url: z.url({ protocol: /^https?$/ }),
    /** Address that a check of the agent sends a GET to, in place of OPTIONS to `url`. It must not run the tool. */
    check_url: z.url({ protocol: /^https?$/ }).optional(),
    /** Headers that the platform sets itself (`content-type`, `idempotency-key`, `webhook-*` …) are refused. */
    headers: HeaderFieldsSchema.optional(),
    /** Credential ids (type `tool`) by header name; each secret is sent unchanged as that header's value. */
    secret_headers: SecretHeadersSchema.optional(),
    /** A credential of type `tool`: sent as `Authorization: Bearer <secret>`. */
    credential_id: CredentialIdSchema,
    /** A credential whose secret is `whsec_…`: requests are signed as in Standard Webhooks. */
    signing_credential_id: CredentialIdSchema,
    /** Above 600,000 only with `background_after_ms`. */
    timeout_ms: z
      .number()
      .int()
      .min(1)
      .max(MAX_BACKGROUND_TIMEOUT_MS)
      .default(DEFAULT_TOOL_TIMEOUT_MS),
    /** A call that has no answer by then is let go: it works on in the background. */
    background_after_ms: z.number().int().min(1).max(MAX_BACKGROUND_TIMEOUT_MS).optional(),
    max_bytes: z.number().int().min(1).max(MAX_TOOL_MAX_BYTES).default(DEFAULT_TOOL_MAX_BYTES),
    ...toolFlags,
  })
  .meta({ id: "HttpTool", description: "A tool that is a POST to the tenant's own server." });
export type HttpTool = z.infer<typeof HttpToolSchema>;
