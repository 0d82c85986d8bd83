// The stored grants of one connection: of one MCP server and one owner, the tenant or an end user. The storage encrypts
// it.

/**
 * Facts of an authorization server that are kept: with them nothing has to be found again, and no other server is used.
 */
export type KnownAuthorizationServer = {
  readonly issuer: string;
  readonly authorization_endpoint?: string;
  readonly token_endpoint?: string;
  readonly registration_endpoint?: string;
  readonly revocation_endpoint?: string;
  /** Mutable, as the library has it. */
  readonly token_endpoint_auth_methods_supported?: string[];
  readonly authorization_response_iss_parameter_supported?: boolean;
};

/** The platform's client at an authorization server. */
export interface OAuthClient {
  readonly server: KnownAuthorizationServer;
  readonly resource: string;
  readonly client_id: string;
  /** Of a client that the platform has registered itself; a tenant's own secret stays in its credential. */
  readonly client_secret?: string;
  readonly redirect_uri: string;
}

export interface OAuthTokens {
  readonly access_token: string;
  readonly refresh_token?: string;
  readonly scope?: string;
}

/** A sign-in that a person has to end. */
export interface SignInAttempt {
  readonly url: string;
  readonly state: string;
  readonly code_verifier: string;
  readonly client: OAuthClient;
  /** The query with which the authorization server has sent the browser back; absent before. */
  readonly returned?: string;
}

export interface StoredConnection {
  readonly id: string;
  readonly status: "waiting" | "active" | "failed";
  /** Counts its changes: what was decided about an earlier one is not written. */
  readonly version: number;
  /** The settings that its tokens are for: with others they are not sent anywhere. */
  readonly bound_to: string;
  readonly client: OAuthClient | null;
  readonly tokens: OAuthTokens | null;
  /** Of the access token, in Unix milliseconds. */
  readonly expires_at: number;
  /** Null for none, and for one whose time is over. */
  readonly attempt: (SignInAttempt & { readonly expires_at: number }) | null;
}

export interface GrantStore {
  read(): Promise<StoredConnection | null>;
  /** A row without a grant, where there is none for these settings. */
  ensure(boundTo: string): Promise<StoredConnection>;
  /** Whether this caller alone may renew until then (Unix milliseconds). */
  lease(version: number, untilMs: number): Promise<boolean>;
  /** Called by its holder; a sign-in that has begun meanwhile has taken nothing of it. */
  release(): Promise<void>;
  /** Resolves when it is durable; false when the connection was changed meanwhile. */
  activate(
    version: number,
    granted: Granted,
    options?: { readonly endsAttempt?: boolean },
  ): Promise<boolean>;
  /** The grant is gone: `connection.failed`. False when the connection was changed meanwhile. */
  fail(version: number, failure: string): Promise<boolean>;
  /** False when another sign-in began first. */
  begin(version: number, attempt: SignInAttempt, expiresAtMs: number): Promise<boolean>;
  /** The session is told when the sign-in ends. */
  addSession(sessionId: string): Promise<void>;
  /** The client that was registered for these settings of the server. */
  readClient(issuer: string): Promise<RegisteredClient | null>;
  /** In place of the one before. */
  keepClient(issuer: string, client: RegisteredClient): Promise<void>;
}

export interface RegisteredClient {
  readonly client_id: string;
  readonly client_secret?: string;
  readonly redirect_uri: string;
}

export interface Granted {
  readonly client: OAuthClient;
  readonly tokens: OAuthTokens;
  readonly expires_at: number;
}
