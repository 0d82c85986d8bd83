// Roles of members, and the scopes of each: the one table that says what a person in the console may do.
import * as z from "zod";

import { type Scope, SCOPES } from "../keys/contract.ts";

/** @public */
export const MemberRoleSchema = z.enum(["owner", "developer", "approver", "viewer"]).meta({
  id: "MemberRole",
  description: "What a member may do: a fixed list of scopes.",
});
export type MemberRole = z.infer<typeof MemberRoleSchema>;

/** People, keys, and switching the questions off: what lets somebody take the tenant over. */
const OWNERS_ALONE: readonly Scope[] = [
  "members:read",
  "members:write",
  "keys:read",
  "keys:write",
  "permission_bypass:write",
];

const DEVELOPER = SCOPES.filter((scope) => !OWNERS_ALONE.includes(scope));

/** The audit has addresses of people, and credentials are a developer's matter. */
const VIEWER = DEVELOPER.filter(
  (scope) => scope.endsWith(":read") && scope !== "audit:read" && scope !== "credentials:read",
);

export const ROLE_SCOPES = {
  owner: SCOPES,
  developer: DEVELOPER,
  approver: [...VIEWER, "confirmations:write", "tool_results:write"],
  viewer: VIEWER,
} as const satisfies Readonly<Record<MemberRole, readonly Scope[]>>;
