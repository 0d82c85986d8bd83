// The console's access to the API: a short-lived token that is exchanged for the session's cookie and held in memory
// alone. The cookie is HttpOnly and below the console's path, so no script reads it.
import type {
  ConsoleAccess,
  ConsoleInvitation,
  ConsoleRefusal,
  MemberInvitation,
  PasskeyChallenge,
  Problem,
  SignInAddress,
  SignInChoices,
} from "../../sdk/index.ts";
import { ConsoleFailure } from "./console-failure.ts";
import { keepMembersTenant } from "./members-tenant.ts";
import { createPasskey, NoPasskeys, takePasskey } from "./passkeys.ts";

/** Console of this page: the first part of its path. */
export type ConsoleKind = "tenant" | "operator";

/** Whose members sign in: null in the operator's console, whose pages name no tenant. */
type TenantId = string | null;

function naming(tenantId: TenantId): { readonly tenant_id?: string } {
  return tenantId === null ? {} : { tenant_id: tenantId };
}

export type AccessState =
  | { readonly kind: "unknown" }
  | { readonly kind: "signed_in"; readonly session: ConsoleAccess["session"] }
  /** `reason` and `detail` as the platform gave them; null before the first sign-in. */
  | {
      readonly kind: "signed_out";
      readonly reason: ConsoleRefusal | "tenant_suspended" | null;
      readonly detail: string | null;
    };

/** Milliseconds before its expiry at which a token is not used any more: a request may take that long to arrive. */
const RENEW_BEFORE_MS = 30_000;

export class Access {
  readonly path: "/console" | "/operator";
  #state: AccessState = { kind: "unknown" };
  #token: Pick<ConsoleAccess, "token" | "expires_at"> | null = null;
  /** One exchange serves all requests that wait for it. */
  #exchange: Promise<string> | null = null;
  readonly #listeners = new Set<() => void>();
  /** Tells the other tabs of this console that it was signed out, or in to another session. */
  readonly #channel: BroadcastChannel;

  constructor(kind: ConsoleKind) {
    this.path = kind === "operator" ? "/operator" : "/console";
    this.#channel = new BroadcastChannel(`reprise${this.path}`);
    this.#channel.addEventListener("message", () => this.#drop(null, null));
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly state = (): AccessState => this.#state;

  /**
   * A token that is valid for some time yet.
   * @throws {ConsoleFailure} without a session; the state is `signed_out` then. @throws {TypeError} offline.
   */
  async token(): Promise<string> {
    const isFresh =
      this.#token && Date.parse(this.#token.expires_at) - Date.now() > RENEW_BEFORE_MS;
    return isFresh && this.#token ? this.#token.token : this.renew();
  }

  /** A new token, whatever is left of the one in use. */
  renew(): Promise<string> {
    this.#exchange ??= this.#renewOnce().finally(() => {
      this.#exchange = null;
    });
    return this.#exchange;
  }

  async #renewOnce(): Promise<string> {
    try {
      const response = await this.#post("token", {});
      const { token, expires_at, session } = (await response.json()) as ConsoleAccess;
      this.#token = { token, expires_at };
      if (session.tenant) keepMembersTenant(session.member ? session.tenant.id : null);
      this.#set({ kind: "signed_in", session });
      return token;
    } catch (error) {
      if (error instanceof ConsoleFailure && error.isFinal) this.#drop(error.reason, error.detail);
      throw error;
    }
  }

  /** Whose console a link opens. @throws {ConsoleFailure} for a link that opens nothing. */
  async readLink(secret: string): Promise<ConsoleInvitation> {
    return (await (await this.#post("link", { secret })).json()) as ConsoleInvitation;
  }

  /** The member and the tenant of an invitation link. @throws {ConsoleFailure} for a link that was used, replaced or has expired. */
  async readMemberLink(tenantId: TenantId, secret: string): Promise<MemberInvitation> {
    const answer = await this.#post("member-link", { ...naming(tenantId), secret });
    return (await answer.json()) as MemberInvitation;
  }

  /**
   * Uses a member's link. @param options For the passkey that is made; null where the platform's host has none.
   * @throws {ConsoleFailure} for a link that was used, replaced or has expired; the browser's error when no passkey was made.
   */
  async acceptMemberLink(
    tenantId: TenantId,
    secret: string,
    options: object | null,
  ): Promise<void> {
    const passkey = options && (await createPasskey(options));
    await this.#enter("member-session", {
      ...naming(tenantId),
      secret,
      ...(passkey && { passkey }),
    });
  }

  /** Sign-in by a passkey. @throws {ConsoleFailure} for a passkey of no member; the browser's error when none was chosen. */
  async signInWithPasskey(tenantId: TenantId): Promise<void> {
    const asked = await this.#post("passkey-challenge", naming(tenantId));
    const { passkey } = (await asked.json()) as PasskeyChallenge;
    if (passkey === null) throw new NoPasskeys();
    await this.#enter("passkey-session", {
      ...naming(tenantId),
      passkey: await takePasskey(passkey),
    });
  }

  /** Providers of the tenant or of the operator; none for an unknown tenant. */
  async readSignInChoices(tenantId: TenantId): Promise<SignInChoices> {
    const answer = await this.#post("sign-in-choices", naming(tenantId));
    return (await answer.json()) as SignInChoices;
  }

  /**
   * Begins a sign-in at a provider. @param secret Of the member's link that is used with it.
   * @returns the provider's address for the browser. @throws {ConsoleFailure} for a link that has ended, and when the provider fails.
   */
  async beginProviderSignIn(
    tenantId: TenantId,
    provider_id: string,
    secret?: string,
  ): Promise<string> {
    const body = { ...naming(tenantId), provider_id, ...(secret !== undefined && { secret }) };
    const begun = await this.#post("provider-sign-in/begin", body);
    return ((await begun.json()) as SignInAddress).url;
  }

  /** End of a sign-in at a provider. @param returned The query of the callback. @throws {ConsoleFailure} when it is refused. */
  async completeProviderSignIn(provider_id: string, returned: string): Promise<void> {
    await this.#enter("provider-sign-in/complete", { provider_id, returned });
  }

  /** Uses the link. @throws {ConsoleFailure} for a link that opens nothing. */
  async signIn(secret: string): Promise<void> {
    await this.#enter("session", { secret });
  }

  async #enter(name: string, body: object): Promise<void> {
    await this.#post(name, body);
    this.#channel.postMessage("changed");
    await this.renew();
  }

  /** Ends the session, and the console in all tabs. */
  async signOut(): Promise<void> {
    await this.#post("sign-out", {});
    this.#channel.postMessage("changed");
    this.#drop(null, null);
  }

  async #post(name: string, body: object): Promise<Response> {
    const response = await fetch(`${this.path}/${name}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
    if (response.ok) return response;
    const problem = (await response.json().catch(() => null)) as Problem | null;
    throw new ConsoleFailure(response.status, problem);
  }

  #drop(reason: Extract<AccessState, { kind: "signed_out" }>["reason"], detail: string | null) {
    this.#token = null;
    this.#set({ kind: "signed_out", reason, detail });
  }

  #set(state: AccessState): void {
    this.#state = state;
    for (const listener of this.#listeners) listener();
  }
}
