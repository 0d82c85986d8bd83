import { type SQL, sql } from "drizzle-orm";

import { OPERATOR_ROLE_RIGHTS, OperatorRoleSchema } from "../../protocol/members/operator-roles.ts";
import { OPERATOR_ROWS } from "../tables/row-owner.ts";

/** Roles of the operator's people who give access to tenants. */
const GIVE_ACCESS = OperatorRoleSchema.options.filter((role) =>
  OPERATOR_ROLE_RIGHTS[role].some((right) => right === "access:write"),
);

/**
 * Whether the key or the member with this id still has its rights: a Worker may have it in its cache as valid. Members are
 * those of the owner of the rows, or the operator's, who act for tenants. True also for `operator` and null, and for an id that
 * is neither.
 */
export function isStillValid(ownerId: string, id: string | null): SQL {
  // Owners of either; no tenant has the operator's other roles.
  const roles = ownerId === OPERATOR_ROWS ? ["owner"] : ["owner", ...GIVE_ACCESS];
  const held = sql.join(
    roles.map((role) => sql`${role}`),
    sql`, `,
  );
  return sql`NOT EXISTS (SELECT 1 FROM api_keys AS acting
      WHERE acting.id = ${id} AND acting.revoked_at IS NOT NULL)
    AND NOT EXISTS (SELECT 1 FROM members AS acting
      WHERE acting.id = ${id} AND acting.tenant_id IN (${ownerId}, ${OPERATOR_ROWS})
      AND (acting.removed_at IS NOT NULL OR acting.role NOT IN (${held})))`;
}
