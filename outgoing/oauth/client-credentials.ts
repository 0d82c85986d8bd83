import * as oauth from "oauth4webapi";

import type { OutgoingFetch } from "../outgoing.ts";
import { clientSecretBasic } from "./client-secret-basic.ts";
import { oauthFetch } from "./oauth-fetch.ts";
import { toOAuthFailure } from "./oauth-failure.ts";
import { readTokens, requestOptions, type ReadTokens } from "./read-tokens.ts";

export interface ClientCredentials {
  readonly token_endpoint: string;
  readonly client_id: string;
  readonly client_secret: string;
  /** Separated by spaces; empty for none. */
  readonly scope: string;
}

/** A token for a client that signs in as itself (RFC 6749, section 4.4). @throws OAuthFailure */
export async function tokensOfClient(
  { token_endpoint, client_id, client_secret, scope }: ClientCredentials,
  outgoing: OutgoingFetch,
): Promise<ReadTokens> {
  // Its issuer is in nothing that is sent or compared here.
  const server = { issuer: new URL(token_endpoint).origin, token_endpoint };
  try {
    const response = await oauth.clientCredentialsGrantRequest(
      server,
      { client_id },
      clientSecretBasic(client_secret),
      scope === "" ? {} : { scope },
      requestOptions(oauthFetch(outgoing)),
    );
    return await readTokens(server, client_id, response);
  } catch (error) {
    throw toOAuthFailure(error, "give a token");
  }
}
