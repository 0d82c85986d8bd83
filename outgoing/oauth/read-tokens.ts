import * as oauth from "oauth4webapi";

import { UNSAID_TOKEN_MS } from "../../protocol/mcp/limits.ts";
import type { OutgoingFetch } from "../outgoing.ts";
import { OAuthFailure } from "./oauth-failure.ts";
import { plainTokenAnswer } from "./plain-answers.ts";

export interface ReadTokens {
  readonly access_token: string;
  readonly refresh_token?: string;
  readonly scope?: string;
  /** Unix milliseconds. */
  readonly expires_at: number;
}

/** The tokens of a token endpoint's answer. @throws OAuthFailure, and what the library throws. */
export async function readTokens(
  server: oauth.AuthorizationServer,
  client_id: string,
  response: Response,
): Promise<ReadTokens> {
  const plain = await plainTokenAnswer(response);
  const given = await oauth.processGenericTokenEndpointResponse(server, { client_id }, plain);
  if (given.token_type !== "bearer") {
    throw new OAuthFailure("the authorization server gave a token that is no bearer token");
  }
  if (!/^[\x21-\x7e]{1,16384}$/.test(given.access_token)) {
    throw new OAuthFailure("the authorization server gave a token that no header can hold");
  }
  const { access_token, refresh_token, scope, expires_in } = given;
  const lifeMs = expires_in === undefined ? UNSAID_TOKEN_MS : Math.max(expires_in, 0) * 1_000;
  return {
    access_token,
    ...(refresh_token !== undefined && { refresh_token }),
    ...(scope !== undefined && { scope }),
    expires_at: Math.min(Date.now() + lifeMs, Number.MAX_SAFE_INTEGER),
  };
}

/** @param fetch Bounded: see `oauthFetch`. */
export function requestOptions(fetch: OutgoingFetch) {
  return {
    [oauth.customFetch]: (url: string, init: RequestInit) => fetch(url, init),
    // The egress guard refuses plain http where it is not allowed.
    [oauth.allowInsecureRequests]: true,
  } as const;
}
