// Settings of the platform's sign-in at an MCP server, in the terms of OAuth 2.1.
import * as z from "zod";

import { MAX_OAUTH_TEXT_CHARACTERS, MAX_OPENER_ORIGINS } from "./limits.ts";
import { OriginSchema } from "../client-tokens/contract.ts";

/**
 * The address that authorization servers send browsers back to, for a client that a tenant has registered itself.
 * Clients that the platform registers have an address below it for each issuer.
 */
export const OAUTH_CALLBACK_PATH = "/v1/oauth/callback";

const TextSchema = z
  .string()
  .min(1)
  .max(MAX_OAUTH_TEXT_CHARACTERS)
  .regex(/^[\x20-\x7e]+$/, "printable ASCII, as OAuth has it");

export const McpOAuthSchema = z
  .strictObject({
    /** `client_credentials`: the platform as itself; `authorization_code`: a person signs in (with PKCE). */
    grant: z.enum(["client_credentials", "authorization_code"]),
    /**
     * The owner of the grant that a call uses: the tenant, for all of its end users, or the session's own end user.
     * With `client_credentials` it is the tenant.
     */
    owner: z.enum(["tenant", "end_user"]).default("tenant"),
    /** The authorization server (RFC 8414); the one that the server's metadata names when left out. */
    issuer: z.url({ protocol: /^https?$/ }).optional(),
    /** A client that was registered before; without it the platform registers one (RFC 7591). */
    client_id: TextSchema.optional(),
    /** A credential of type `tool` with the client's secret, sent to its `allowed_hosts` alone. Needs `issuer`. */
    client_credential_id: z.string().min(1).max(64).optional(),
    /** Separated by spaces; as the server's metadata says when left out. */
    scope: TextSchema.optional(),
    /** Origins of pages to which the page that ends a sign-in may post its code; it is only shown when left out. */
    opener_origins: z.array(OriginSchema).min(1).max(MAX_OPENER_ORIGINS).optional(),
  })
  .superRefine((oauth, context) => {
    const refuse = (path: string, message: string) =>
      context.addIssue({ code: "custom", path: [path], message });
    if (oauth.client_credential_id !== undefined && oauth.issuer === undefined) {
      refuse("issuer", "a client's secret is sent to an issuer that is named here alone");
    }
    if (oauth.client_credential_id !== undefined && oauth.client_id === undefined) {
      refuse("client_id", "a client's secret needs the client's id");
    }
    if (oauth.grant !== "client_credentials") return;
    if (oauth.owner === "end_user") refuse("owner", "client credentials are the tenant's own");
    if (oauth.client_credential_id === undefined) {
      refuse("client_credential_id", "client credentials need the client's id and secret");
    }
  });
export type McpOAuth = z.infer<typeof McpOAuthSchema>;
