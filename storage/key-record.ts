import type { Scope } from "../protocol/api/api-keys.ts";

/** What a request's key says about its sender. */
export interface KeyRecord {
  readonly id: string;
  readonly tenant_id: string;
  readonly scopes: readonly Scope[];
  /** The end of the key or of the secret that was given, whichever comes first. */
  readonly expires_at: string | null;
  readonly last_used_at: string | null;
}
