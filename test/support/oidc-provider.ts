// An OpenID provider on loopback, whose one person has signed in already: it publishes its configuration and its keys, gives
// codes and takes them once, with the client's secret and the PKCE verifier. A test may have it lie.
import { createHash, randomUUID } from "node:crypto";

import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { onTestFinished } from "vitest";

import { startLoopbackServer } from "./loopback-server.ts";

type Fields = Readonly<Record<string, unknown>>;

export interface Lies {
  /** Over members of the configuration. */
  readonly configuration?: Fields;
  /** Over claims of the ID token; undefined leaves one out. */
  readonly claims?: Fields;
  /** Over parameters of the way back; null leaves one out. */
  readonly returned?: Readonly<Record<string, string | null>>;
  /** In place of the answer to a code. */
  readonly token?: { readonly status: number; readonly body: Fields };
  /** Signs with a key that is not published. */
  readonly foreignKey?: boolean;
  /** A code is taken again. */
  readonly takesTwice?: boolean;
}

export interface TestOidcProvider {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The person who is signed in at the provider. */
  person: { sub: string; email?: string; email_verified?: unknown };
  lies: Lies;
  /** Codes that were taken. */
  readonly taken: () => number;
}

interface GivenCode {
  readonly nonce: string | null;
  readonly challenge: string | null;
  readonly redirectUri: string | null;
}

export async function startOidcProvider(): Promise<TestOidcProvider> {
  const [published, foreign] = await Promise.all([makeKey("k1"), makeKey("k1")]);
  const codes = new Map<string, GivenCode>();
  let taken = 0;
  const provider: TestOidcProvider = {
    issuer: "",
    clientId: "reprise-console",
    clientSecret: "secret-of-the-client",
    person: { sub: "person-1", email: "ada@shop.example", email_verified: true },
    lies: {},
    taken: () => taken,
  };

  const server = await startLoopbackServer(async ({ path, headers, text }, response) => {
    const url = new URL(path, server.url);
    if (url.pathname === "/authorize") {
      response.writeHead(302, { location: authorize(url.searchParams) });
      response.end();
      return;
    }
    const { status = 200, answer } = await answerOf(url.pathname, text, headers["authorization"]);
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify(answer));
  });
  onTestFinished(() => server.stop());

  async function answerOf(
    path: string,
    text: string,
    authorization: string | string[] | undefined,
  ): Promise<{ status?: number; answer: object }> {
    if (path === "/.well-known/openid-configuration") {
      return { answer: { ...configuration(server.url), ...provider.lies.configuration } };
    }
    if (path === "/keys") return { answer: { keys: [published.jwk] } };
    return redeem(new URLSearchParams(text), String(authorization));
  }

  function configuration(origin: string) {
    return {
      issuer: origin,
      authorization_endpoint: `${origin}/authorize`,
      token_endpoint: `${origin}/token`,
      jwks_uri: `${origin}/keys`,
      authorization_response_iss_parameter_supported: true,
      code_challenge_methods_supported: ["S256"],
    };
  }

  function authorize(asked: URLSearchParams): string {
    const code = randomUUID();
    codes.set(code, {
      nonce: asked.get("nonce"),
      challenge: asked.get("code_challenge"),
      redirectUri: asked.get("redirect_uri"),
    });
    const back = new URL(asked.get("redirect_uri") ?? server.url);
    const parameters = { code, state: asked.get("state"), iss: server.url };
    for (const [name, value] of Object.entries({ ...parameters, ...provider.lies.returned })) {
      if (value !== null) back.searchParams.set(name, value);
    }
    return back.href;
  }

  async function redeem(
    asked: URLSearchParams,
    authorization: string,
  ): Promise<{ status: number; answer: object }> {
    if (provider.lies.token) {
      return { status: provider.lies.token.status, answer: provider.lies.token.body };
    }
    const basic = `Basic ${btoa(`${provider.clientId}:${provider.clientSecret}`)}`;
    if (authorization !== basic) return { status: 401, answer: { error: "invalid_client" } };
    const given = codes.get(asked.get("code") ?? "");
    const verifier = asked.get("code_verifier") ?? "";
    const challenge = createHash("sha256").update(verifier).digest("base64url");
    const isRight =
      given?.challenge === challenge && given.redirectUri === asked.get("redirect_uri");
    if (!given || !isRight) return { status: 400, answer: { error: "invalid_grant" } };
    if (!provider.lies.takesTwice) codes.delete(asked.get("code") ?? "");
    taken += 1;
    const now = Math.floor(Date.now() / 1_000);
    const claims = {
      iss: server.url,
      aud: provider.clientId,
      iat: now,
      exp: now + 300,
      nonce: given.nonce,
      ...provider.person,
      ...provider.lies.claims,
    };
    const key = provider.lies.foreignKey ? foreign : published;
    const id_token = await new SignJWT(claims)
      .setProtectedHeader({ alg: "ES256", kid: "k1" })
      .sign(key.privateKey);
    return { status: 200, answer: { access_token: randomUUID(), token_type: "Bearer", id_token } };
  }

  return Object.assign(provider, { issuer: server.url });
}

async function makeKey(kid: string) {
  const { privateKey, publicKey } = await generateKeyPair("ES256");
  return { privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg: "ES256", use: "sig" } };
}
