import type { EndUserShareChange } from "../../protocol/quotas/end-user-share.ts";
import { accept, type Result } from "../../protocol/errors.ts";
import { utf8Bytes } from "../../protocol/utf8-bytes.ts";
import type { OpenSession } from "./open-session.ts";

/** Copies of a value that are written: in its event, and in the row that has it. */
const COPIES = 2;

/** Bytes that a value takes as it is stored. */
export function storedSize(value: unknown): number {
  return COPIES * utf8Bytes(JSON.stringify(value));
}

/**
 * Before a client's request stores a value without a reply: asks for room, and has the commit that follows report it. While
 * the tenant's object cannot be reached a session continues, as its replies do.
 * @param share Binds an end user who sends it.
 */
export async function admitBytes(
  { outbox, tenant }: Pick<OpenSession, "outbox" | "tenant">,
  value: unknown,
  share?: EndUserShareChange,
): Promise<Result<null>> {
  const admitted = await tenant.admitBytes(outbox.databaseSize, storedSize(value), {
    report: () => outbox.flush(),
    share,
  });
  if (!admitted.ok) return admitted;
  outbox.growth.expect();
  return accept(null);
}
