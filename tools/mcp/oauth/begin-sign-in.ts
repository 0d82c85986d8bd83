// Begins the sign-in of a person at an MCP server, or finds the one that has begun.
import * as oauth from "oauth4webapi";

import type { StopSignal } from "../../../agent/ports.ts";
import {
  MAX_SIGN_IN_URL_CHARACTERS,
  SIGN_IN_BEGIN_MS,
  SIGN_IN_MS,
} from "../../../protocol/mcp/limits.ts";
import type { AuthorizationRequired } from "../../../protocol/messages/call-reasons.ts";
import type { StoredConnection } from "../../../protocol/mcp/grant-store.ts";
import { pause } from "../../../runtime/pause.ts";
import { untilStopped } from "../../../runtime/until-stopped.ts";
import { parameterOf, partsOf, wantsMore } from "./challenge.ts";
import { findClient, type ClientSearch } from "./find-client.ts";
import { bindingOf } from "./grant-settings.ts";
import { OAuthFailure, problemOfGrant } from "../../../outgoing/oauth/oauth-failure.ts";

export type SignInBegun =
  | { readonly ok: true; readonly authorization: AuthorizationRequired }
  /** A sentence. */
  | { readonly ok: false; readonly reason: string };

interface Beginning extends ClientSearch {
  /** The token that was sent last; null for none. */
  readonly sent: string | null;
  /** Told when it ends; null for none. */
  readonly sessionId: string | null;
}

interface Begun {
  readonly url: string;
  readonly state: string;
  /** Unix milliseconds. */
  readonly expires_at: number;
}

/** Attempts while other sign-ins begin or end meanwhile. */
const TRIES = 3;

/** Never rejects; ends soon after `stop`, and when the servers that it asks take too long together. */
export async function beginSignIn(beginning: Beginning, stop: StopSignal): Promise<SignInBegun> {
  const about = `The MCP server ${beginning.settings.server.name}`;
  const failed = (error: unknown): SignInBegun => ({
    ok: false,
    reason: `${about} ${problemOfGrant(error)}.`,
  });
  let begun: SignInBegun = failed(
    new OAuthFailure("its authorization server did not answer in time"),
  );
  const finished = new AbortController();
  const running = beginOrFind(beginning)
    .catch(failed)
    .then((found) => {
      begun = found;
    })
    .finally(() => finished.abort());
  // A sign-in that is begun too late is found by the next call.
  await untilStopped(Promise.race([running, pause(SIGN_IN_BEGIN_MS, finished.signal)]), stop);
  finished.abort();
  return begun;
}

async function beginOrFind(beginning: Beginning): Promise<SignInBegun> {
  const { settings, sessionId } = beginning;
  const { store, server } = settings;
  for (let time = 0; time < TRIES; time += 1) {
    // Sequential: each look depends on what others have done since the last one.
    const row = await store.ensure(bindingOf(server));
    const attempt = row.attempt?.returned === undefined && row.attempt;
    if (!attempt && isInVain(beginning, row)) {
      // Another sign-in may have ended meanwhile: the request knew nothing of its grant.
      if (row.tokens?.access_token !== beginning.sent) return signedInNow(server.name);
      throw new OAuthFailure("it refuses what the user has allowed already");
    }
    const { url, state, expires_at } = attempt || (await begin(beginning, row));
    const found: SignInBegun = {
      ok: true,
      authorization: {
        connection_id: row.id,
        mcp_server_id: server.id,
        url,
        expires_at: new Date(expires_at).toISOString(),
      },
    };
    if (sessionId === null) return found;
    await store.addSession(sessionId);
    // One that ended before the session was listed has told it nothing: the call would wait in vain.
    const now = await store.read();
    if (now?.attempt?.state === state) return found;
    if (now?.status === "active" && !now.attempt) return signedInNow(server.name);
  }
  throw new OAuthFailure("its sign-ins begin and end too fast");
}

function signedInNow(name: string): SignInBegun {
  const reason = `The user has signed in to ${name} in this very moment. Nothing was done: call it again.`;
  return { ok: false, reason };
}

/** The server wants nothing that the grant lacks: another sign-in would ask the person for the same, again and again. */
function isInVain({ challenge }: Beginning, row: StoredConnection): boolean {
  const held = heldScopes(row);
  const wanted = partsOf(parameterOf(challenge, "scope"));
  return wantsMore(challenge) && wanted.length > 0 && wanted.every((one) => held.includes(one));
}

function heldScopes({ status, tokens }: StoredConnection): readonly string[] {
  return status === "active" ? partsOf(tokens?.scope) : [];
}

async function begin(beginning: Beginning, row: StoredConnection): Promise<Begun> {
  const { settings, challenge } = beginning;
  const { store, server, redirectUri } = settings;
  if (redirectUri === null) throw new OAuthFailure("the platform does not know its own address");
  const { client, scope } = await findClient(beginning, redirectUri);
  const code_verifier = oauth.generateRandomCodeVerifier();
  const state = oauth.generateRandomState();
  const url = new URL(client.server.authorization_endpoint ?? "");
  const wanted = parameterOf(challenge, "scope") ?? server.oauth.scope ?? scope;
  // The scopes that were allowed before are asked for again: the new grant takes the place of the old one.
  const held = wantsMore(challenge) ? heldScopes(row) : [];
  const asked = [...new Set([...held, ...partsOf(wanted)])].join(" ");
  const parameters = {
    response_type: "code",
    client_id: client.client_id,
    redirect_uri: client.redirect_uri,
    code_challenge: await oauth.calculatePKCECodeChallenge(code_verifier),
    code_challenge_method: "S256",
    state,
    resource: client.resource,
    ...(asked !== "" && { scope: asked }),
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  // The address is in events, lists and webhooks; each part of it is the other server's.
  if (url.href.length > MAX_SIGN_IN_URL_CHARACTERS) {
    throw new OAuthFailure("its page to sign in has an address that is too long");
  }
  const expires_at = Date.now() + SIGN_IN_MS;
  const attempt = { url: url.href, state, code_verifier, client };
  if (await store.begin(row.version, attempt, expires_at)) {
    return { url: url.href, state, expires_at };
  }
  const other = (await store.read())?.attempt;
  if (other && other.returned === undefined) return other;
  throw new OAuthFailure("another sign-in is being completed");
}
