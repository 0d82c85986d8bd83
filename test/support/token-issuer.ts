// An identity provider on loopback: it publishes its keys, and signs what a test wants signed.
import { exportJWK, generateKeyPair, SignJWT, type JWTPayload } from "jose";
import { onTestFinished } from "vitest";

import { startLoopbackServer } from "./loopback-server.ts";

type Respond = Parameters<typeof startLoopbackServer>[0];

export interface TestIssuer {
  readonly issuer: string;
  readonly jwksUrl: string;
  /** Requests for the keys. */
  readonly asked: () => number;
  /** A new key beside or in place of the others; tokens are signed with it from then on. */
  readonly rotate: (options?: { readonly keepsOld?: boolean }) => Promise<void>;
  /** In place of the keys; undefined for the keys again. */
  readonly answerWith: (respond: Respond | undefined) => void;
  /** @param claims Beside `iss` and `exp`, in an hour; undefined leaves one out. @param header Over the usual one. */
  readonly sign: (
    claims: Readonly<Record<string, unknown>>,
    header?: Readonly<Record<string, unknown>>,
  ) => Promise<string>;
  /** The public key of the newest pair, as PEM-like JSON: what everybody can read. */
  readonly publicJwk: () => Promise<object>;
}

export async function startTokenIssuer(): Promise<TestIssuer> {
  let count = 0;
  let asked = 0;
  let respond: Respond | undefined;
  let published: object[] = [];
  let current = await makeKey();
  published.push(current.jwk);
  const server = await startLoopbackServer((incoming, response) => {
    asked += 1;
    if (respond) return respond(incoming, response);
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ keys: published }));
  });
  onTestFinished(() => server.stop());

  async function makeKey() {
    const pair = await generateKeyPair("ES256");
    count += 1;
    const kid = `key-${count}`;
    const jwk = { ...(await exportJWK(pair.publicKey)), kid, alg: "ES256", use: "sig" };
    return { privateKey: pair.privateKey, kid, jwk };
  }

  return {
    issuer: server.url,
    // The platform keeps keys by their address, longer than until a port is given out again.
    jwksUrl: `${server.url}/keys/${crypto.randomUUID()}`,
    asked: () => asked,
    async rotate({ keepsOld = false } = {}) {
      current = await makeKey();
      published = keepsOld ? [...published, current.jwk] : [current.jwk];
    },
    answerWith(other) {
      respond = other;
    },
    async sign(claims, header = {}) {
      const exp = Math.floor(Date.now() / 1_000) + 3_600;
      const payload: JWTPayload = { iss: server.url, exp, ...claims };
      return new SignJWT(payload)
        .setProtectedHeader({ alg: "ES256", kid: current.kid, ...header })
        .sign(current.privateKey);
    },
    publicJwk: async () => current.jwk,
  };
}
