// What a revoked key leaves behind in sessions: open streams, and client tokens that it has minted.

/** Who knows which of a tenant's sessions are in use, and which keys are refused meanwhile. */
interface KeyCutter {
  /** @param tokens The client tokens that the keys have minted are refused too, in every session. */
  cutKeys(keyIds: readonly string[], tokens: boolean): Promise<void>;
}

/** The tenant's own object, where the deployment has one. */
interface CutterBindings extends Env {
  readonly TENANT?: { getByName(tenantId: string): KeyCutter };
}

/**
 * Ends what was opened with keys that were revoked.
 * @param options.tokens Whether the client tokens that they have minted go too.
 * @throws what the object throws; the keys are revoked by then, and the same request may be sent again.
 */
export async function cutKeys(
  env: CutterBindings,
  tenantId: string,
  keyIds: readonly string[],
  { tokens }: { readonly tokens: boolean },
): Promise<void> {
  if (keyIds.length === 0) return;
  await env.TENANT?.getByName(tenantId).cutKeys(keyIds, tokens);
}
