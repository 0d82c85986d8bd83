// The quotas of a reply's tenant, as the loop asks about them.

/** A quota of the tenant that is used up. */
export interface SpentQuota {
  /** The quota's name, as `GET /v1/limits` has it. */
  readonly quota: string;
  /** Milliseconds after which the quota may have room again; left out when that is not known. */
  readonly retry_after_ms?: number;
}

/** The quotas of the reply's tenant. */
export interface TenantQuota {
  /**
   * Called before each model call.
   * @param tokens Tokens that the reply has used so far.
   * @returns Null when the reply may continue.
   */
  check(tokens: number): Promise<SpentQuota | null>;
  /** Parks the reply: its runner ends, and the session starts another one when the quota may have room. */
  wait(spent: SpentQuota): void;
}
