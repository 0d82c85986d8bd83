// Roles of the operator's people, and the rights of each: the one table that says what a person may do for the operator. No zod
// beside the roles themselves: routes name their right by its type.
import * as z from "zod";

/**
 * Rights on the operator's routes. `access` are the keys and members of tenants: who has them gets in there; `people` are
 * the operator's own.
 */
export const OPERATOR_RIGHTS = [
  "tenants:read",
  "tenants:write",
  "tenants:close",
  "access:read",
  "access:write",
  "health:read",
  "audit:read",
  "people:read",
  "people:write",
] as const;
export type OperatorRight = (typeof OPERATOR_RIGHTS)[number];

/** @public */
export const OperatorRoleSchema = z.enum(["owner", "administrator", "support"]).meta({
  id: "OperatorRole",
  description: "What a person of the operator's may do: a fixed list of rights.",
});
export type OperatorRole = z.infer<typeof OperatorRoleSchema>;

export const OPERATOR_ROLE_RIGHTS = {
  owner: OPERATOR_RIGHTS,
  administrator: OPERATOR_RIGHTS.filter((right) => !right.startsWith("people:")),
  // Keys' names, members and the audit say who is who at a customer.
  support: ["tenants:read", "health:read"],
} as const satisfies Readonly<Record<OperatorRole, readonly OperatorRight[]>>;
