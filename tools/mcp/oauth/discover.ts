// Finds the authorization server of an MCP server: RFC 9728 metadata of the resource, then RFC 8414 or OIDC metadata.
import { BodyTooBig } from "../../../outgoing/body.ts";
import type { OutgoingFetch } from "../../../outgoing/outgoing.ts";
import { MAX_OAUTH_ADDRESS_CHARACTERS } from "../../../protocol/mcp/limits.ts";
import type { KnownAuthorizationServer } from "../../../protocol/mcp/grant-store.ts";
import { parameterOf } from "./challenge.ts";
import { looseBodyOf } from "../../../outgoing/oauth/loose-body.ts";
import { OAuthFailure, toOAuthFailure } from "../../../outgoing/oauth/oauth-failure.ts";

export interface FoundAuthorization {
  readonly server: KnownAuthorizationServer;
  /** The RFC 8707 `resource` that tokens are for. */
  readonly resource: string;
  /** The scope that the server names; null when it names none. */
  readonly scope: string | null;
}

/** The ways in which a client proves itself that the platform has. */
const AUTH_METHODS = ["none", "client_secret_basic", "client_secret_post"];

type Fields = Readonly<Record<string, unknown>>;

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
    const found = await readJson(fetch, place);
    if ("resource" in found.metadata) return readResource(found.metadata, url);
    if (named !== null) {
      const missing = "the metadata that the MCP server names is not there";
      throw new OAuthFailure(found.problem ?? missing);
    }
  }
  // A guessed address without metadata may be anybody's page.
  return null;
}

function readResource(found: Fields, url: string): Resource {
  const { resource, authorization_servers, scopes_supported } = found;
  // A resource of another origin, or beside the server's path, would get its tokens for somebody else.
  if (typeof resource !== "string" || !isWithin(url, resource)) {
    throw new OAuthFailure("the MCP server's metadata is about another resource");
  }
  if (isTooLong(resource)) {
    throw new OAuthFailure("the MCP server's metadata names a resource whose address is too long");
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
  let problem: string | null = null;
  for (const place of new Set(places)) {
    const found = await readJson(fetch, place);
    const server = readServer(found.metadata, { issuer, needsPkce });
    if (typeof server !== "string") return server;
    problem ??= found.problem ?? ("issuer" in found.metadata ? server : null);
  }
  throw new OAuthFailure(problem ?? "the authorization server has no metadata");
}

/** The problem as a text where it cannot be used: it may be at another place. */
function readServer(
  found: Fields,
  { issuer: asked, needsPkce }: { readonly issuer: string; readonly needsPkce: boolean },
): KnownAuthorizationServer | string {
  const { issuer } = found;
  // RFC 8414 3.3: metadata of another issuer must not be used. A slash at the end is no other one.
  if (typeof issuer !== "string" || !isSame(issuer, asked)) {
    return "the authorization server's metadata is of another issuer";
  }
  if (isTooLong(issuer)) return "the issuer's address is too long";
  const address = (name: string): string | undefined => {
    const value = found[name];
    const isUsable = typeof value === "string" && !isTooLong(value) && isWebAddress(value, issuer);
    return isUsable ? value : undefined;
  };
  // Kept with each connection: of the list those that the platform has, of the addresses those of a bounded length.
  const offered = texts(found["token_endpoint_auth_methods_supported"]);
  const methods = AUTH_METHODS.filter((method) => offered.includes(method));
  const server: KnownAuthorizationServer = {
    issuer,
    token_endpoint: address("token_endpoint"),
    authorization_endpoint: address("authorization_endpoint"),
    registration_endpoint: address("registration_endpoint"),
    revocation_endpoint: address("revocation_endpoint"),
    authorization_response_iss_parameter_supported:
      found["authorization_response_iss_parameter_supported"] === true,
    ...(offered.length > 0 && { token_endpoint_auth_methods_supported: methods }),
  };
  if (server.token_endpoint === undefined) {
    return "the authorization server has no token endpoint";
  }
  if (!needsPkce) return server;
  if (server.authorization_endpoint === undefined) {
    return isTooLong(found["authorization_endpoint"])
      ? "the authorization server's page to sign in has an address that is too long"
      : "the authorization server has no page to sign in";
  }
  return texts(found["code_challenge_methods_supported"]).includes("S256")
    ? server
    : "the authorization server does not say that it checks PKCE with S256";
}

function isTooLong(address: unknown): boolean {
  return typeof address === "string" && address.length > MAX_OAUTH_ADDRESS_CHARACTERS;
}

interface Found {
  /** Empty where there is none. */
  readonly metadata: Fields;
  /** The problem of what is there in its place; null for nothing. */
  readonly problem: string | null;
}

/** @throws as the connection does. */
async function readJson(fetch: OutgoingFetch, address: string): Promise<Found> {
  const none = (problem: string | null): Found => ({ metadata: {}, problem });
  let response: Response;
  try {
    response = await fetch(address, { headers: { accept: "application/json" } });
  } catch (error) {
    if (error instanceof BodyTooBig) return none("metadata is too large");
    throw error;
  }
  const { status } = response;
  if (status >= 300 && status < 400) {
    return none("metadata is behind a redirect; redirects are not followed");
  }
  if (status >= 400 && status < 500) return none(null);
  if (!response.ok) return none(`metadata is not there: status ${status}`);
  const metadata = await looseBodyOf(response);
  return metadata ? { metadata, problem: null } : none("metadata is no JSON object");
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

/** A list of texts; a text alone is a list of one. */
function texts(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === "string") : [];
}
