// The requests to a token endpoint, and what else a client asks of an authorization server.
import * as oauth from "oauth4webapi";

import type { OutgoingFetch } from "../../../outgoing/outgoing.ts";
import type { SecretSource } from "../../../outgoing/secret-source.ts";
import type { McpOAuth } from "../../../protocol/mcp/mcp-oauth.ts";
import { MAX_OAUTH_CLIENT_CHARACTERS } from "../../../protocol/mcp/limits.ts";
import type {
  Granted,
  KnownAuthorizationServer,
  OAuthClient,
  OAuthTokens,
  RegisteredClient,
  SignInAttempt,
} from "../../../protocol/mcp/grant-store.ts";
import { clientSecretBasic } from "../../../outgoing/oauth/client-secret-basic.ts";
import { OAuthFailure, toOAuthFailure } from "../../../outgoing/oauth/oauth-failure.ts";
import { plainRegistration } from "../../../outgoing/oauth/plain-answers.ts";
import { readTokens, requestOptions } from "../../../outgoing/oauth/read-tokens.ts";

export interface OAuthAccess {
  /** Bounded: see `oauthFetch`. */
  readonly fetch: OutgoingFetch;
  readonly secrets: SecretSource;
}

/** @throws OAuthFailure */
export async function registerClient(
  { fetch }: Pick<OAuthAccess, "fetch">,
  server: KnownAuthorizationServer,
  redirect_uri: string,
): Promise<RegisteredClient> {
  if (server.registration_endpoint === undefined) {
    throw new OAuthFailure(
      "the authorization server registers no clients: set the client_id of one that was registered there",
    );
  }
  const methods = server.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
  const method = ["none", "client_secret_basic", "client_secret_post"].find((one) =>
    methods.includes(one),
  );
  try {
    const metadata = {
      client_name: "Reprise",
      redirect_uris: [redirect_uri],
      // MCP 2026-07-28 demands it. OpenID Connect lets a `web` client come back by https alone, and a `native` one to loopback.
      application_type: redirect_uri.startsWith("https:") ? "web" : "native",
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: method ?? "client_secret_basic",
    };
    const response = await oauth.dynamicClientRegistrationRequest(
      server,
      metadata,
      requestOptions(fetch),
    );
    const made = await oauth.processDynamicClientRegistrationResponse(
      await plainRegistration(response),
    );
    const { client_id } = made;
    const client_secret = typeof made.client_secret === "string" ? made.client_secret : undefined;
    if (client_id.length + (client_secret ?? "").length > MAX_OAUTH_CLIENT_CHARACTERS) {
      throw new OAuthFailure("the authorization server gives clients that are too large");
    }
    return {
      client_id,
      ...(client_secret !== undefined && { client_secret }),
      redirect_uri,
    };
  } catch (error) {
    throw toOAuthFailure(error, "register a client");
  }
}

/** @throws OAuthFailure */
export async function grantOfClient(
  access: OAuthAccess,
  client: OAuthClient,
  settings: McpOAuth,
  scope: string | null,
): Promise<Granted> {
  const { server, resource } = client;
  const parameters = { resource, ...(scope !== null && { scope }) };
  return granted(client, "give a token", () =>
    oauth.clientCredentialsGrantRequest(
      server,
      { client_id: client.client_id },
      authOf(access, client, settings),
      parameters,
      requestOptions(access.fetch),
    ),
  );
}

/** @throws OAuthFailure when what came back is of another issuer, or the code is refused. */
export async function grantOfCode(
  access: OAuthAccess,
  attempt: SignInAttempt,
  settings: McpOAuth,
): Promise<Granted> {
  const { client, code_verifier } = attempt;
  const { server, resource, redirect_uri } = client;
  const given = await granted(client, "take the code", () =>
    oauth.authorizationCodeGrantRequest(
      server,
      { client_id: client.client_id },
      authOf(access, client, settings),
      checkReturned(attempt, new URLSearchParams(attempt.returned ?? "")),
      redirect_uri,
      code_verifier,
      { ...requestOptions(access.fetch), additionalParameters: { resource } },
    ),
  );
  // RFC 6749 5.1: who does not say what was granted has granted what was asked for.
  const asked = new URL(attempt.url).searchParams.get("scope");
  if (given.tokens.scope !== undefined || asked === null) return given;
  return { ...given, tokens: { ...given.tokens, scope: asked } };
}

/** @throws OAuthFailure; `isRefused` when the grant was revoked. */
export async function renewGrant(
  access: OAuthAccess,
  client: OAuthClient,
  tokens: OAuthTokens & { readonly refresh_token: string },
  settings: McpOAuth,
): Promise<Granted> {
  const { server, resource } = client;
  const renewed = await granted(client, "renew the grant", () =>
    oauth.refreshTokenGrantRequest(
      server,
      { client_id: client.client_id },
      authOf(access, client, settings),
      tokens.refresh_token,
      { ...requestOptions(access.fetch), additionalParameters: { resource } },
    ),
  );
  // A server that does not rotate them says nothing, and the one before continues.
  const { refresh_token = tokens.refresh_token, scope = tokens.scope } = renewed.tokens;
  const { access_token } = renewed.tokens;
  return {
    ...renewed,
    tokens: { access_token, refresh_token, ...(scope !== undefined && { scope }) },
  };
}

/** Best effort (RFC 7009). Contract: never throws. */
export async function revokeGrant(
  access: OAuthAccess,
  client: OAuthClient,
  { refresh_token, access_token }: OAuthTokens,
  settings: McpOAuth,
): Promise<void> {
  const { server } = client;
  if (server.revocation_endpoint === undefined) return;
  try {
    await oauth.revocationRequest(
      server,
      { client_id: client.client_id },
      authOf(access, client, settings),
      refresh_token ?? access_token,
      requestOptions(access.fetch),
    );
  } catch {
    // The token is forgotten here whatever the issuer does.
  }
}

/** State and issuer (RFC 9207). @throws what the library throws. */
export function checkReturned(
  { client, state }: Pick<SignInAttempt, "client" | "state">,
  parameters: URLSearchParams,
): URLSearchParams {
  const { server, client_id } = client;
  return oauth.validateAuthResponse(server, { client_id }, parameters, state);
}

async function granted(
  client: OAuthClient,
  doing: string,
  send: () => Promise<Response>,
): Promise<Granted> {
  try {
    const { expires_at, ...tokens } = await readTokens(
      client.server,
      client.client_id,
      await send(),
    );
    return { client, tokens, expires_at };
  } catch (error) {
    throw toOAuthFailure(error, doing);
  }
}

/** @throws OAuthFailure when the tenant's secret may not be sent there. */
function authOf(
  { secrets }: Pick<OAuthAccess, "secrets">,
  { server, client_secret }: OAuthClient,
  { client_credential_id }: McpOAuth,
): oauth.ClientAuth {
  const secret = client_secret ?? secretOf(secrets, server, client_credential_id);
  if (secret === null) return oauth.None();
  const methods = server.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
  return methods.includes("client_secret_basic") || !methods.includes("client_secret_post")
    ? clientSecretBasic(secret)
    : oauth.ClientSecretPost(secret);
}

function secretOf(
  secrets: SecretSource,
  { token_endpoint = "" }: KnownAuthorizationServer,
  credentialId: string | undefined,
): string | null {
  if (credentialId === undefined) return null;
  const found = secrets(credentialId, token_endpoint);
  if (!found.ok) throw new OAuthFailure(`the credential ${credentialId} ${found.problem}`);
  return found.secret;
}
