import { eq, isNull, type SQL } from "drizzle-orm";

import { consoleSessions } from "../console/table.ts";
import { OPERATOR_ROWS } from "../tables/row-owner.ts";

/** Sessions of the owner's console: those of the operator's have no tenant. */
export function isConsoleOf(ownerId: string): SQL {
  return ownerId === OPERATOR_ROWS
    ? isNull(consoleSessions.tenant_id)
    : eq(consoleSessions.tenant_id, ownerId);
}
