// Finds the authorization server of an MCP server: RFC 9728 metadata of the resource, then RFC 8414 or OIDC metadata.
import type { OutgoingFetch } from "../../../outgoing/outgoing.ts";
import type { KnownAuthorizationServer } from "../../../protocol/mcp/grant-store.ts";
import { parameterOf } from "./challenge.ts";
import { OAuthFailure, toOAuthFailure } from "./oauth-failure.ts";

export interface FoundAuthorization {
  readonly server: KnownAuthorizationServer;
  /** The RFC 8707 `resource` that tokens are for. */
  readonly resource: string;
  /** What the server says to ask for; null when it does not say. */
  readonly scope: string | null;
}

interface Asked {
  /** The MCP server's address. */
  readonly url: string;
  /** Of the tenant; null for the one that the server names. */
  readonly issuer: string | null;
  /** Whether a person will sign in: PKCE has to be there then. */
  readonly needsPkce: boolean;
  /** The `WWW-Authenticate` of the server; null when it was not asked. */
  readonly challenge: string | null;
}

/** @throws OAuthFailure */
export async function discover(fetch: OutgoingFetch, asked: Asked): Promise<FoundAuthorization> {
  try {
    const resource = await findResource(fetch, asked);
    const named = resource?.issuers ?? [];
    const { issuer } = asked;
    if (issuer !== null && named.length > 0 && !named.some((one) => isSame(one, issuer))) {
      throw new OAuthFailure(
        "the MCP server names other authorization servers than the issuer that is set",
      );
    }
    const chosen = issuer ?? named[0] ?? new URL(asked.url).origin;
    const server = await findServer(fetch, chosen, asked.needsPkce);
    const challenged = parameterOf(asked.challenge, "scope");
    return {
      server,
      resource: resource?.resource ?? plain(asked.url),
      scope: challenged ?? resource?.scope ?? null,
    };
  } catch (error) {
    throw toOAuthFailure(error, "be found");
  }
}

interface Resource {
  readonly resource: string;
  readonly issuers: readonly string[];
  readonly scope: string | null;
}

/** Null for a server that has no such metadata, as those before 2025-06-18. */
async function findResource(
  fetch: OutgoingFetch,
  { url, challenge }: Asked,
): Promise<Resource | null> {
  const { origin, pathname } = new URL(url);
  const known = "/.well-known/oauth-protected-resource";
  const named = parameterOf(challenge, "resource_metadata");
  const path = pathname.replace(/\/$/, "");
  const places = named === null ? [`${origin}${known}${path}`, `${origin}${known}`] : [named];
  for (const place of new Set(places)) {
    // oxlint-disable-next-line no-await-in-loop
    const found = await readJson(fetch, place);
    if (found) return readResource(found, url);
  }
  if (named !== null) throw new OAuthFailure("the metadata that the MCP server names is not there");
  return null;
}

function readResource(found: Readonly<Record<string, unknown>>, url: string): Resource {
  const { resource, authorization_servers, scopes_supported } = found;
  // A resource of another origin, or beside the server's path, would get its tokens for somebody else.
  if (typeof resource !== "string" || !isWithin(url, resource)) {
    throw new OAuthFailure("the MCP server's metadata is about another resource");
  }
  const scope = texts(scopes_supported).join(" ");
  return { resource, issuers: texts(authorization_servers), scope: scope === "" ? null : scope };
}

async function findServer(
  fetch: OutgoingFetch,
  issuer: string,
  needsPkce: boolean,
): Promise<KnownAuthorizationServer> {
  if (!URL.canParse(issuer)) throw new OAuthFailure("the issuer is no address");
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, "");
  const places = [
    `${origin}/.well-known/oauth-authorization-server${path}`,
    `${origin}/.well-known/openid-configuration${path}`,
    `${origin}${path}/.well-known/openid-configuration`,
  ];
  for (const place of new Set(places)) {
    // oxlint-disable-next-line no-await-in-loop
    const found = await readJson(fetch, place);
    if (!found) continue;
    // RFC 8414 3.3: metadata of another issuer must not be used. A slash at the end is no other one.
    if (typeof found["issuer"] !== "string" || !isSame(found["issuer"], issuer)) {
      throw new OAuthFailure("the authorization server's metadata is of another issuer");
    }
    return readServer(found, needsPkce);
  }
  throw new OAuthFailure("the authorization server has no metadata");
}

function readServer(
  found: Readonly<Record<string, unknown>>,
  needsPkce: boolean,
): KnownAuthorizationServer {
  const issuer = String(found["issuer"]);
  const address = (name: string): string | undefined => {
    const value = found[name];
    return typeof value === "string" && isWebAddress(value, issuer) ? value : undefined;
  };
  const server: KnownAuthorizationServer = {
    issuer,
    token_endpoint: address("token_endpoint"),
    authorization_endpoint: address("authorization_endpoint"),
    registration_endpoint: address("registration_endpoint"),
    revocation_endpoint: address("revocation_endpoint"),
    authorization_response_iss_parameter_supported:
      found["authorization_response_iss_parameter_supported"] === true,
    ...(Array.isArray(found["token_endpoint_auth_methods_supported"]) && {
      token_endpoint_auth_methods_supported: texts(found["token_endpoint_auth_methods_supported"]),
    }),
  };
  if (server.token_endpoint === undefined) {
    throw new OAuthFailure("the authorization server has no token endpoint");
  }
  if (!needsPkce) return server;
  if (server.authorization_endpoint === undefined) {
    throw new OAuthFailure("the authorization server has no page to sign in");
  }
  if (!texts(found["code_challenge_methods_supported"]).includes("S256")) {
    throw new OAuthFailure("the authorization server does not say that it checks PKCE with S256");
  }
  return server;
}

/** Null where there is none. @throws for a redirect, and for what is no JSON object. */
async function readJson(
  fetch: OutgoingFetch,
  address: string,
): Promise<Readonly<Record<string, unknown>> | null> {
  const response = await fetch(address, { headers: { accept: "application/json" } });
  if (response.status >= 300 && response.status < 400) {
    throw new OAuthFailure("metadata is behind a redirect; redirects are not followed");
  }
  if (response.status >= 400 && response.status < 500) return null;
  if (!response.ok) throw new OAuthFailure(`metadata is not there: status ${response.status}`);
  const found: unknown = await response.json();
  if (typeof found !== "object" || found === null || Array.isArray(found)) {
    throw new OAuthFailure("metadata is no JSON object");
  }
  return found as Readonly<Record<string, unknown>>;
}

function isWithin(url: string, resource: string): boolean {
  if (!URL.canParse(resource)) return false;
  const [server, named] = [new URL(url), new URL(resource)];
  const path = named.pathname.replace(/\/$/, "");
  const isBelow = server.pathname === path || server.pathname.startsWith(`${path}/`);
  return server.origin === named.origin && isBelow;
}

/**
 * A person opens the page, in an app that trusts its address: it may hold no script, and no name before the host. By http
 * only where the issuer itself is asked so, which the egress guard allows in local development alone.
 */
function isWebAddress(text: string, issuer: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  const isSafe = protocol === "https:" || (protocol === "http:" && issuer.startsWith("http:"));
  return isSafe && username === "" && password === "";
}

function isSame(one: string, other: string): boolean {
  return one.replace(/\/$/, "") === other.replace(/\/$/, "");
}

/** As RFC 8707 has it: without a fragment. */
function plain(url: string): string {
  const address = new URL(url);
  address.hash = "";
  return address.href;
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === "string") : [];
}
