// An end user's part of its tenant's quotas, as the triggers of D1 have counted it.
import { and, eq } from "drizzle-orm";

import { openDatabase } from "../statements/database.ts";
import { endUserCounts } from "./table.ts";

interface EndUserUse {
  readonly sessions: number;
  readonly stored_bytes: number;
}

/** @param holder See `holderOf`. */
export async function readEndUserUse(
  binding: D1Database,
  tenantId: string,
  holder: string,
): Promise<EndUserUse> {
  const [row] = await openDatabase(binding)
    .select({ sessions: endUserCounts.sessions, stored_bytes: endUserCounts.stored_bytes })
    .from(endUserCounts)
    .where(and(eq(endUserCounts.tenant_id, tenantId), eq(endUserCounts.holder, holder)));
  return row ?? { sessions: 0, stored_bytes: 0 };
}
