// The grant with which one owner's calls go to one MCP server: its token is added to each request, renewed before it
// ends and when the server refuses it. What is missing a person has to give.
import type { StopSignal } from "../../../agent/ports.ts";
import type { OutgoingFetch } from "../../../outgoing/outgoing.ts";
import {
  REFRESH_LEASE_MS,
  REFRESH_POLL_MS,
  TOKEN_MARGIN_MS,
} from "../../../protocol/mcp/limits.ts";
import type { Granted, StoredConnection } from "../../../protocol/mcp/grant-store.ts";
import { pause } from "../../../runtime/pause.ts";
import { beginSignIn, type SignInBegun } from "./begin-sign-in.ts";
import { isOfTooLittle } from "./challenge.ts";
import { findClient } from "./find-client.ts";
import { GrantProblem } from "./grant-problem.ts";
import { bindingOf, type GrantSettings } from "./grant-settings.ts";
import { oauthFetch } from "../../../outgoing/oauth/oauth-fetch.ts";
import { OAuthFailure, problemOfGrant } from "../../../outgoing/oauth/oauth-failure.ts";
import { grantOfClient, renewGrant, type OAuthAccess } from "./token-requests.ts";
import { withinSignal } from "./within-signal.ts";

/** Of one execution: renewals are rare. */
const KEPT_TOKENS = 8;
/** Changes beside a renewal that it outlives. */
const KEEP_TRIES = 4;
const NEVER = new AbortController().signal;

export class McpGrant {
  readonly #settings: GrantSettings;
  readonly #access: OAuthAccess;
  /** The server's challenge to a request that it refused; null when it has refused none since. */
  #challenge: string | null = null;
  /** Secrets that were sent, newest last. */
  #sent: readonly string[] = [];

  constructor(settings: GrantSettings) {
    this.#settings = settings;
    this.#access = { fetch: oauthFetch(settings.outgoing), secrets: settings.secrets };
  }

  /** Whether a person can sign in, where a request was refused: see `McpFailure.needs_sign_in`. */
  get isOfPerson(): boolean {
    return this.#settings.server.oauth.grant === "authorization_code";
  }

  /** The server may repeat them. */
  get secrets(): readonly string[] {
    return this.#sent;
  }

  /** The same requests with the grant's token. One that the server refuses goes once more, with a renewed token. */
  readonly outgoing: OutgoingFetch = async (input, init) => {
    const { outgoing } = this.#settings;
    const token = await withinSignal(this.#token(null), init?.signal);
    const first = await outgoing(input, withToken(init, token));
    if (first.status !== 401) return this.#noteScope(first);
    this.#challenge = first.headers.get("www-authenticate");
    void first.body?.cancel().catch(() => undefined);
    // The request was not taken, so it may be sent again.
    const renewed = await withinSignal(this.#token(token), init?.signal);
    const second = await outgoing(input, withToken(init, renewed));
    if (second.status !== 401) return this.#noteScope(second);
    this.#challenge = second.headers.get("www-authenticate");
    await this.#giveUp(renewed);
    return second;
  };

  /** See {@link beginSignIn}. Never rejects; ends soon after `stop`. */
  begin(sessionId: string | null, stop: StopSignal): Promise<SignInBegun> {
    const sent = this.#sent.at(-1) ?? null;
    const challenge = this.#challenge;
    const about = { settings: this.#settings, access: this.#access, challenge, sent, sessionId };
    return beginSignIn(about, stop);
  }

  /** @param refused A token that the server does not take. @throws GrantProblem when there is none. */
  async #token(refused: string | null): Promise<string> {
    try {
      const untilMs = Date.now() + REFRESH_LEASE_MS;
      for (;;) {
        // Sequential: each look depends on what another machine has done since the last one.
        const found = await this.#lookOnce(refused);
        if (found !== null) {
          this.#sent = [...this.#sent.filter((one) => one !== found), found].slice(-KEPT_TOKENS);
          return found;
        }
        if (Date.now() > untilMs) throw new OAuthFailure("the grant is being renewed elsewhere");
        await pause(REFRESH_POLL_MS, NEVER);
      }
    } catch (error) {
      if (GrantProblem.isInstance(error)) throw error;
      throw new GrantProblem(problemOfGrant(error), { cause: error });
    }
  }

  /** Null while another machine renews it. */
  async #lookOnce(refused: string | null): Promise<string | null> {
    const { store, server } = this.#settings;
    const { oauth: settings } = server;
    const binding = bindingOf(server);
    const isOwn = settings.grant === "client_credentials";
    const read = await store.read();
    const row = isOwn && read?.bound_to !== binding ? await store.ensure(binding) : read;
    if (!row || row.bound_to !== binding) return this.#missing();
    const { tokens, client, expires_at, version } = row;
    const isHeld = tokens !== null && row.status === "active";
    if (isHeld && tokens.access_token !== refused && expires_at - TOKEN_MARGIN_MS > Date.now()) {
      return tokens.access_token;
    }
    if (!isOwn && !isHeld) return this.#missing();
    const refresh_token = tokens?.refresh_token;
    if (!isOwn && refresh_token === undefined) {
      const isUsable =
        tokens !== null && tokens.access_token !== refused && expires_at > Date.now();
      if (isUsable) return tokens.access_token;
      await store.fail(
        version,
        "the grant has ended, and the authorization server gave no way to renew it",
      );
      return this.#missing();
    }
    if (!(await store.lease(version, Date.now() + REFRESH_LEASE_MS))) return null;
    try {
      const granted =
        isOwn || !client || !tokens || refresh_token === undefined
          ? await this.#askAsClient()
          : await renewGrant(this.#access, client, { ...tokens, refresh_token }, settings);
      // The rotated token is on disk before it is used: the one before may be worth nothing any more.
      return (await this.#keep(row, granted)) ? granted.tokens.access_token : null;
    } catch (error) {
      if (!(error instanceof OAuthFailure) || !error.isRefused || isOwn) {
        await store.release();
        throw error;
      }
      if (!(await store.fail(version, "the grant was revoked, or has ended"))) {
        await store.release();
      }
      return this.#missing();
    }
  }

  /** A sign-in that has begun meanwhile changes the row, and not its grant. */
  async #keep(renewed: StoredConnection, granted: Granted): Promise<boolean> {
    const { store } = this.#settings;
    let { version } = renewed;
    for (let time = 0; time < KEEP_TRIES; time += 1) {
      if (await store.activate(version, granted)) return true;
      const row = await store.read();
      const isSame =
        row?.bound_to === renewed.bound_to &&
        row.tokens?.access_token === renewed.tokens?.access_token;
      if (!isSame) return false;
      version = row.version;
    }
    return false;
  }

  async #askAsClient() {
    const { server } = this.#settings;
    const { client, scope } = await findClient(
      { settings: this.#settings, access: this.#access, challenge: this.#challenge },
      "",
    );
    const { oauth: settings } = server;
    return grantOfClient(this.#access, client, settings, settings.scope ?? scope);
  }

  #missing(): never {
    const message = "cannot be asked: a person has to sign in there first";
    throw new GrantProblem(message, { needsSignIn: this.isOfPerson });
  }

  /** The server refuses a token that is fresh. */
  async #giveUp(token: string): Promise<void> {
    const { store } = this.#settings;
    if (!this.isOfPerson) return;
    const row = await store.read().catch(() => null);
    if (row?.tokens?.access_token !== token) return;
    await store.fail(row.version, "the server refuses the grant").catch(() => undefined);
  }

  /** 403 with `insufficient_scope`: a person has to allow more. */
  #noteScope(response: Response): Response {
    const challenge = response.headers.get("www-authenticate");
    if (isOfTooLittle(response.status, challenge)) this.#challenge = challenge;
    return response;
  }
}

function withToken(init: RequestInit | undefined, token: string): RequestInit {
  const headers = new Headers(init?.headers);
  headers.set("authorization", `Bearer ${token}`);
  return { ...init, headers };
}
