// OpenID providers on loopback, each with one person who has signed in already: a provider publishes its configuration and its
// keys, gives codes and takes them once, with the client's secret and the PKCE verifier. A test may have it lie.
import { createHash, randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";

import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { onTestFinished } from "vitest";

import { type RecordedRequest, startLoopbackServer } from "./loopback-server.ts";

type Fields = Readonly<Record<string, unknown>>;

export interface Lies {
  /** Over members of the configuration. */
  readonly configuration?: Fields;
  /** Over claims of the ID token; null leaves one out. */
  readonly claims?: Fields;
  /** Over parameters of the way back; null leaves one out. */
  readonly returned?: Readonly<Record<string, string | null>>;
  /** In place of the answer to a code. */
  readonly token?: { readonly status: number; readonly body: Fields };
  /** Signs with a key that is not published. */
  readonly foreignKey?: boolean;
  /** Does not sign at all: `alg` is `none`. */
  readonly unsigned?: boolean;
  /** A code is taken again. */
  readonly takesTwice?: boolean;
}

/** The person who is signed in at a provider, and what it says that is not true. */
export interface OidcSettings {
  person: { sub: string; email?: string; email_verified?: unknown };
  lies: Lies;
}

export interface TestOidcProvider extends OidcSettings {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Codes that were taken. */
  readonly taken: () => number;
}

interface GivenCode {
  readonly nonce: string | null;
  readonly challenge: string | null;
  readonly redirectUri: string | null;
}

interface KnownProvider extends OidcSettings {
  readonly codes: Map<string, GivenCode>;
  taken: number;
}

const OIDC_CLIENT = { id: "reprise-console", secret: "secret-of-the-client" };

/**
 * A server of any number of providers: `/{name}` is the issuer of each. What is put at `/{name}/settings` is in force from then on,
 * for tests that run in another process. A public client has a name that begins with `public`.
 */
export async function startOidcServer() {
  const [published, foreign] = await Promise.all([makeKey("k1"), makeKey("k1")]);
  const known = new Map<string, KnownProvider>();
  function find(name: string): KnownProvider {
    const found = known.get(name) ?? {
      person: { sub: "person-1", email: "ada@shop.example", email_verified: true },
      lies: {},
      codes: new Map<string, GivenCode>(),
      taken: 0,
    };
    known.set(name, found);
    return found;
  }

  async function answer(request: RecordedRequest, response: ServerResponse): Promise<void> {
    const url = new URL(request.path, server.url);
    const [, name = "", ...rest] = url.pathname.split("/");
    const issuer = `${server.url}/${name}`;
    const provider = find(name);
    function send(status: number, body: object): void {
      response.writeHead(status, { "content-type": "application/json" });
      response.end(JSON.stringify(body));
    }
    switch (rest.join("/")) {
      case "settings":
        Object.assign(provider, request.body);
        return send(200, { taken: provider.taken });
      case ".well-known/openid-configuration":
        return send(200, { ...configuration(issuer), ...provider.lies.configuration });
      case "keys":
        return send(200, { keys: [published.jwk] });
      case "authorize":
        response.writeHead(302, { location: authorize(provider, issuer, url.searchParams) });
        response.end();
        return;
      case "token": {
        const asked = new URLSearchParams(request.text);
        const { status, body } = await redeem(provider, { name, issuer, asked }, request);
        return send(status, body);
      }
      default:
        return send(404, {});
    }
  }

  async function redeem(
    provider: KnownProvider,
    { name, issuer, asked }: { name: string; issuer: string; asked: URLSearchParams },
    { headers }: RecordedRequest,
  ): Promise<{ status: number; body: object }> {
    const { lies, codes, person } = provider;
    if (lies.token) return lies.token;
    const basic = `Basic ${btoa(`${OIDC_CLIENT.id}:${OIDC_CLIENT.secret}`)}`;
    const isClient = name.startsWith("public")
      ? asked.get("client_id") === OIDC_CLIENT.id
      : headers["authorization"] === basic;
    if (!isClient) return { status: 401, body: { error: "invalid_client" } };
    const given = codes.get(asked.get("code") ?? "");
    const verifier = asked.get("code_verifier") ?? "";
    const challenge = createHash("sha256").update(verifier).digest("base64url");
    const isRight =
      given?.challenge === challenge && given.redirectUri === asked.get("redirect_uri");
    if (!given || !isRight) return { status: 400, body: { error: "invalid_grant" } };
    if (!lies.takesTwice) codes.delete(asked.get("code") ?? "");
    provider.taken += 1;
    const now = Math.floor(Date.now() / 1_000);
    const claims = withoutNulls({
      iss: issuer,
      aud: OIDC_CLIENT.id,
      iat: now,
      exp: now + 300,
      nonce: given.nonce,
      ...person,
      ...lies.claims,
    });
    const key = lies.foreignKey ? foreign : published;
    const id_token = lies.unsigned
      ? `${encoded({ alg: "none" })}.${encoded(claims)}.`
      : await new SignJWT(claims)
          .setProtectedHeader({ alg: "ES256", kid: "k1" })
          .sign(key.privateKey);
    return { status: 200, body: { access_token: randomUUID(), token_type: "Bearer", id_token } };
  }

  const server = await startLoopbackServer(answer);
  return { url: server.url, find, stop: () => server.stop() };
}

/** A provider of the test's own, with the client's secret. */
export async function startOidcProvider(): Promise<TestOidcProvider> {
  const server = await startOidcServer();
  onTestFinished(() => server.stop());
  const provider = server.find("own");
  return Object.defineProperties(
    {
      issuer: `${server.url}/own`,
      clientId: OIDC_CLIENT.id,
      clientSecret: OIDC_CLIENT.secret,
      taken: () => provider.taken,
    },
    {
      person: {
        get: () => provider.person,
        set(person: OidcSettings["person"]) {
          provider.person = person;
        },
      },
      lies: {
        get: () => provider.lies,
        set(lies: Lies) {
          provider.lies = lies;
        },
      },
    },
  ) as TestOidcProvider;
}

function configuration(issuer: string) {
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/keys`,
    authorization_response_iss_parameter_supported: true,
    code_challenge_methods_supported: ["S256"],
  };
}

/** The address to which the browser is sent back. */
function authorize({ codes, lies }: KnownProvider, issuer: string, asked: URLSearchParams): string {
  const code = randomUUID();
  codes.set(code, {
    nonce: asked.get("nonce"),
    challenge: asked.get("code_challenge"),
    redirectUri: asked.get("redirect_uri"),
  });
  const back = new URL(asked.get("redirect_uri") ?? issuer);
  const parameters = { code, state: asked.get("state"), iss: issuer };
  for (const [name, value] of Object.entries({ ...parameters, ...lies.returned })) {
    if (value !== null) back.searchParams.set(name, value);
  }
  return back.href;
}

function withoutNulls(fields: Fields): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}

function encoded(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}

async function makeKey(kid: string) {
  const { privateKey, publicKey } = await generateKeyPair("ES256");
  return { privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg: "ES256", use: "sig" } };
}
