// An authorization server on loopback: metadata, registration (RFC 7591), a page to sign in, tokens with PKCE, rotation
// and revocation (RFC 7009). In front of it stands a resource server made with the official package, which takes its
// tokens alone. It can lie in each of these.
import { createHash, randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";

import { startLoopbackServer, type RecordedRequest } from "../loopback-server.ts";
import { startOfficialServer, type OfficialServer } from "./official-server.ts";

export interface Lies {
  /** The metadata says that it is of another issuer. */
  issuer?: string;
  /** The browser comes back with this `iss`. */
  iss?: string;
  /** Metadata is behind a redirect, is 100 MB, or never comes. */
  metadata?: "redirect" | "huge" | "silent";
  /** The resource says that it is another one. */
  resource?: string;
  /** Seconds; null when the answer does not say. */
  expires_in?: number | null;
  /** No refresh tokens. */
  unrenewable?: true;
  /** No PKCE in the metadata. */
  noPkce?: true;
  /** A refresh is answered when this resolves. */
  refreshWhen?: Promise<unknown>;
  /** Answers a request to the resource server by itself, where it returns true. `subject` is that of its token. */
  mcp?: (request: RecordedRequest, response: ServerResponse, subject: string) => boolean;
  /** Each request to the resource server wants a grant that allows more. */
  forbid?: true;
  /** No code is worth a token. */
  refuse?: true;
  /** A refused request for a token is answered with all that it has said. */
  echo?: true;
  /** More of the metadata, or other members of it. */
  more?: object;
}

interface SeenToken {
  readonly subject: string;
  readonly client_id: string;
  readonly resource: string | null;
  readonly scope: string | null;
}

export interface AuthorizationServer {
  readonly url: string;
  /** Of the resource server. */
  readonly mcpUrl: string;
  readonly mcp: OfficialServer;
  readonly lies: Lies;
  /** `tools/call` by the subject of its token. */
  readonly callers: readonly string[];
  /** The bodies of requests for tokens. */
  readonly tokenRequests: readonly Readonly<Record<string, string>>[];
  readonly registrations: number;
  readonly revoked: readonly string[];
  /** The tokens that were ever given, to look for them where they must not be. */
  readonly secrets: readonly string[];
  /** Opens the address as a browser does whose person is this one. @returns where it is sent back to. */
  signIn(url: string, subject: string): Promise<string>;
  /** Access tokens end now; refresh tokens stay. */
  expireTokens(): void;
  /** All that was granted ends. */
  revokeAll(): void;
  stop(): Promise<void>;
}

interface Code {
  readonly subject: string;
  readonly challenge: string;
  readonly client_id: string;
  readonly redirect_uri: string;
  readonly resource: string | null;
  readonly scope: string | null;
}

const KNOWN_CLIENT = { id: "known-client", secret: "s3cret:with%signs" };

/** @param upstreamUrl Of a server of MCP behind it, in place of the official one. */
export async function startAuthorizationServer(
  lies: Lies = {},
  upstreamUrl?: string,
): Promise<AuthorizationServer> {
  const mcp = await startOfficialServer("legacy stateless");
  const codes = new Map<string, Code>();
  const access = new Map<string, SeenToken>();
  const refresh = new Map<string, SeenToken>();
  const clients = new Map<string, readonly string[]>();
  const tokenRequests: Record<string, string>[] = [];
  const callers: string[] = [];
  const revoked: string[] = [];
  const secrets: string[] = [];
  let registrations = 0;
  const made = (prefix: string): string => {
    const value = `${prefix}-${randomUUID()}`;
    secrets.push(value);
    return value;
  };

  const server = await startLoopbackServer(async (request, response) => {
    const json = (body: object, status = 200, headers: Record<string, string> = {}): void => {
      response.writeHead(status, { "content-type": "application/json", ...headers });
      response.end(JSON.stringify(body));
    };
    const [path = ""] = request.path.split("?");
    switch (path) {
      case "/.well-known/oauth-protected-resource/mcp":
        return json({
          resource: lies.resource ?? `${server.url}/mcp`,
          authorization_servers: [server.url],
          scopes_supported: ["orders"],
        });
      case "/.well-known/oauth-authorization-server": {
        if (lies.metadata === "redirect") {
          return void response.writeHead(302, { location: `${server.url}/elsewhere` }).end();
        }
        if (lies.metadata === "silent") return undefined;
        if (lies.metadata === "huge") {
          response.writeHead(200, { "content-type": "application/json" });
          const piece = "x".repeat(1_000_000);
          for (let sent = 0; sent < 100 && !response.destroyed; sent += 1) {
            await new Promise<void>((resolve) => response.write(piece, () => resolve()));
          }
          return void response.end();
        }
        return json({
          issuer: lies.issuer ?? server.url,
          authorization_endpoint: `${server.url}/authorize`,
          token_endpoint: `${server.url}/token`,
          registration_endpoint: `${server.url}/register`,
          revocation_endpoint: `${server.url}/revoke`,
          response_types_supported: ["code"],
          authorization_response_iss_parameter_supported: true,
          token_endpoint_auth_methods_supported: ["none", "client_secret_basic"],
          ...(lies.noPkce !== true && { code_challenge_methods_supported: ["S256"] }),
          ...lies.more,
        });
      }
      case "/register": {
        registrations += 1;
        const { redirect_uris } = request.body as { redirect_uris: string[] };
        const client_id = `client-${registrations}`;
        clients.set(client_id, redirect_uris);
        return json({ client_id, redirect_uris }, 201);
      }
      case "/authorize":
        return authorize(request, (location) => void response.writeHead(302, { location }).end());
      case "/token":
        return token(request, json);
      case "/revoke": {
        const value = new URLSearchParams(request.text).get("token") ?? "";
        revoked.push(value);
        refresh.delete(value);
        return json({});
      }
      case "/mcp":
        return forward(request, json, response);
      default:
        return json({}, 404);
    }
  });

  function authorize({ path }: RecordedRequest, back: (location: string) => void): void {
    const asked = new URL(path, server.url).searchParams;
    const client_id = asked.get("client_id") ?? "";
    const redirect_uri = asked.get("redirect_uri") ?? "";
    const isKnown = client_id === KNOWN_CLIENT.id || clients.get(client_id)?.includes(redirect_uri);
    if (!isKnown || asked.get("code_challenge_method") !== "S256") throw new Error("refused");
    const location = new URL(redirect_uri);
    location.searchParams.set("state", asked.get("state") ?? "");
    location.searchParams.set("iss", lies.iss ?? server.url);
    const subject = asked.get("subject") ?? "";
    if (subject === "nobody") location.searchParams.set("error", "access_denied");
    else {
      const code = made("code");
      codes.set(code, {
        subject,
        client_id,
        redirect_uri,
        challenge: asked.get("code_challenge") ?? "",
        resource: asked.get("resource"),
        scope: asked.get("scope"),
      });
      location.searchParams.set("code", code);
    }
    back(location.href);
  }

  async function token(
    request: RecordedRequest,
    json: (body: object, status?: number) => void,
  ): Promise<void> {
    const given = Object.fromEntries(new URLSearchParams(request.text));
    tokenRequests.push(given);
    const refused = (error: string): void =>
      json({ error, ...(lies.echo && { error_description: echoOf(request) }) }, 400);
    const grant = (seen: SeenToken, renewable: boolean): void => {
      const access_token = made("access");
      access.set(access_token, seen);
      const refresh_token = made("refresh");
      if (renewable) refresh.set(refresh_token, seen);
      const expires_in = lies.expires_in === undefined ? 3_600 : lies.expires_in;
      json({
        access_token,
        token_type: "Bearer",
        ...(expires_in !== null && { expires_in }),
        ...(renewable && { refresh_token }),
        ...(seen.scope !== null && { scope: seen.scope }),
      });
    };
    switch (given["grant_type"]) {
      case "authorization_code": {
        const known = codes.get(given["code"] ?? "");
        codes.delete(given["code"] ?? "");
        const challenge = createHash("sha256")
          .update(given["code_verifier"] ?? "")
          .digest("base64url");
        if (lies.refuse || !known || known.challenge !== challenge) return refused("invalid_grant");
        if (known.redirect_uri !== given["redirect_uri"]) return refused("invalid_grant");
        if (known.resource !== given["resource"]) return refused("invalid_target");
        const { subject, client_id, resource, scope } = known;
        return grant({ subject, client_id, resource, scope }, lies.unrenewable !== true);
      }
      case "refresh_token": {
        const seen = refresh.get(given["refresh_token"] ?? "");
        refresh.delete(given["refresh_token"] ?? "");
        await lies.refreshWhen;
        return seen ? grant(seen, true) : refused("invalid_grant");
      }
      case "client_credentials": {
        const [id = "", secret = ""] = Buffer.from(
          String(request.headers["authorization"] ?? "").slice("Basic ".length),
          "base64",
        )
          .toString("utf8")
          .split(":")
          .map(decodeURIComponent);
        if (id !== KNOWN_CLIENT.id || secret !== KNOWN_CLIENT.secret) {
          return refused("invalid_client");
        }
        const { resource = null, scope = null } = given;
        return grant({ subject: `client ${id}`, client_id: id, resource, scope }, false);
      }
      default:
        return refused("unsupported_grant_type");
    }
  }

  async function forward(
    request: RecordedRequest,
    json: (body: object, status?: number, headers?: Record<string, string>) => void,
    response: Parameters<Parameters<typeof startLoopbackServer>[0]>[1],
  ): Promise<void> {
    if (lies.forbid) {
      return json({}, 403, {
        "www-authenticate": 'Bearer error="insufficient_scope", scope="all"',
      });
    }
    const bearer = String(request.headers["authorization"] ?? "").slice("Bearer ".length);
    const seen = access.get(bearer);
    if (seen?.resource !== `${server.url}/mcp`) {
      const metadata = `${server.url}/.well-known/oauth-protected-resource/mcp`;
      return json({ error: "invalid_token" }, 401, {
        "www-authenticate": `Bearer error="invalid_token", resource_metadata="${metadata}"`,
      });
    }
    const { method } = (request.body ?? {}) as { method?: string };
    if (method === "tools/call") callers.push(seen.subject);
    if (lies.mcp?.(request, response, seen.subject)) return;
    const { host: _, authorization: __, "content-length": ___, ...headers } = request.headers;
    const answer = await fetch(upstreamUrl ?? mcp.url, {
      method: request.method,
      headers: headers as Record<string, string>,
      ...(request.text !== "" && { body: request.text }),
    });
    const { "content-encoding": ____, ...given } = Object.fromEntries(answer.headers);
    response.writeHead(answer.status, given);
    response.end(await answer.text());
  }

  return {
    url: server.url,
    mcpUrl: `${server.url}/mcp`,
    mcp,
    lies,
    callers,
    tokenRequests,
    revoked,
    secrets,
    get registrations() {
      return registrations;
    },
    async signIn(url, subject) {
      const address = new URL(url);
      address.searchParams.set("subject", subject);
      const answer = await fetch(address, { redirect: "manual" });
      return answer.headers.get("location") ?? "";
    },
    expireTokens: () => access.clear(),
    revokeAll() {
      access.clear();
      refresh.clear();
    },
    async stop() {
      await Promise.all([server.stop(), mcp.stop()]);
    },
  };
}

function echoOf({ text, headers }: RecordedRequest): string {
  return `I was sent ${decodeURIComponent(text)} with ${String(headers["authorization"])}`;
}

export { KNOWN_CLIENT };
