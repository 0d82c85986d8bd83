// The state of a sign-in at a provider, signed, in a cookie of the browser that has begun it. `Lax`, because the browser comes back
// from another site; below the path of these two requests alone, and one for each sign-in, so that two tabs do not meet.
import { deleteCookie, getCookie, setCookie } from "hono/cookie";

import {
  MAX_SIGN_INS_UNDER_WAY,
  PROVIDER_SIGN_IN_MS,
} from "../../protocol/sign-in-providers/limits.ts";
import { keyPepperOf } from "../../storage/secrets/deployment-secrets.ts";
import { toHex } from "../../storage/secrets/key-id.ts";
import type { AnsweredChallenge } from "../../storage/members/session-statements.ts";
import {
  openToken,
  signToken,
  type SignInStateClaims,
} from "../../storage/secrets/signed-token.ts";
import { OPERATOR_ROWS } from "../../storage/tables/row-owner.ts";
import type { AppContext } from "../app-env.ts";
import { type ConsolePath, cookiePrefix, isSecure } from "./console-cookie.ts";

const NAME = "reprise_sign_in_";
/** Characters of the state in the cookie's name: enough that no two under way are the same. */
const NAMED_CHARACTERS = 16;

/** Asking stores nothing here: anybody may begin a sign-in, at any tenant's provider. */
export async function keepSignInState(
  context: AppContext,
  path: ConsolePath,
  state: Omit<SignInStateClaims, "exp">,
): Promise<void> {
  // Browsers send the oldest first. Without a bound, abandoned ones would make requests too large.
  const underWay = Object.keys(getCookie(context)).filter((name) => name.includes(NAME));
  for (const name of underWay.slice(0, 1 - MAX_SIGN_INS_UNDER_WAY)) {
    deleteCookie(context, name, attributesOf(context, path));
  }
  const exp = Date.now() + PROVIDER_SIGN_IN_MS;
  const token = await signToken("sign_in_state", { ...state, exp }, context.env.KEY_PEPPER);
  setCookie(context, nameOf(context, state.state), token, {
    ...attributesOf(context, path),
    maxAge: PROVIDER_SIGN_IN_MS / 1_000,
  });
}

interface TakenState extends SignInStateClaims {
  /** Remembered with the session that it opens: it opens one. */
  readonly challenge: AnsweredChallenge;
}

/** The state with which the browser has come back from this provider, out of its cookie; null for one that is not its own. */
export async function takeSignInState(
  context: AppContext,
  path: ConsolePath,
  providerId: string,
  state: string | null,
): Promise<TakenState | null> {
  if (state === null || !/^[\w-]{32,128}$/.test(state)) return null;
  const name = nameOf(context, state);
  const token = getCookie(context, name);
  if (token === undefined) return null;
  deleteCookie(context, name, attributesOf(context, path));
  const opened = await openToken("sign_in_state", token, keyPepperOf(context.env), Date.now());
  if (!opened.ok) return null;
  const { claims } = opened;
  if (claims.provider_id !== providerId || claims.state !== state) return null;
  // Begun at the other console.
  if ((claims.tenant_id === OPERATOR_ROWS) !== (path === "/operator")) return null;
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(token));
  return {
    ...claims,
    challenge: {
      hash: toHex(new Uint8Array(digest)),
      expiresAt: new Date(claims.exp).toISOString(),
    },
  };
}

function nameOf(context: AppContext, state: string): string {
  return `${cookiePrefix(context)}${NAME}${state.slice(0, NAMED_CHARACTERS)}`;
}

function attributesOf(context: AppContext, console: ConsolePath) {
  const path = `${console}/provider-sign-in`;
  return { path, httpOnly: true, sameSite: "Lax", secure: isSecure(context) } as const;
}
