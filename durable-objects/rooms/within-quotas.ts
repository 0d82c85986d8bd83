import type { Transcript } from "../../model/voice/cascade/ports.ts";
import { accept, type Result } from "../../protocol/errors.ts";
import type { SessionTenant } from "../tenants/session-tenant.ts";

/**
 * Writes a person's words down as a summary is made: with a lease of the tenant's object, which is given back with the tokens.
 * @returns the refusal `quota_exceeded`, or of a tenant that is stopped. Contract: never rejects, as `write` does not.
 */
export async function withinQuotas(
  tenant: Pick<SessionTenant, "checkBeside" | "settle">,
  id: string,
  write: () => Promise<Transcript>,
): Promise<Result<Transcript>> {
  const admitted = await tenant.checkBeside({ reply_id: id, tokens: 0 });
  if (!admitted.ok) return admitted;
  const written = await write();
  const usage = written.ok ? written.usage : null;
  try {
    await tenant.settle([{ reply_id: id, usage }], false);
  } catch (error) {
    console.warn("tokens of a room were not counted; its lease ends by itself", {
      error: String(error),
    });
  }
  return accept(written);
}
