import { sql } from "drizzle-orm";

import { MAX_ERASED_ADDRESSES, MEMBER_ADDRESS_KEPT_MS } from "../../protocol/members/limits.ts";
import { openDatabase } from "../statements/database.ts";

/** Erases addresses of members who left a month ago. The name stays. @returns how many, up to a step's most. */
export async function eraseAddresses(binding: D1Database, nowMs: number): Promise<number> {
  const leftBefore = new Date(nowMs - MEMBER_ADDRESS_KEPT_MS).toISOString();
  const erased = await openDatabase(binding).all(sql`
    UPDATE members SET email = NULL WHERE id IN (
      SELECT id FROM members WHERE removed_at IS NOT NULL AND email IS NOT NULL
      AND removed_at < ${leftBefore} ORDER BY removed_at LIMIT ${MAX_ERASED_ADDRESSES}
    ) RETURNING 1 AS erased`);
  return erased.length;
}
