import { type MemberRole, ROLE_SCOPES } from "../../protocol/members/roles.ts";
import type { AppContext } from "../app-env.ts";
import { fieldError, HttpError } from "../http-error.ts";
import { scopesOf } from "../principal.ts";

/**
 * Whoever lacks a scope of the role neither gives it nor decides about somebody who has it.
 * @param pointer The field of the request that names the role.
 */
export function requireRole(context: AppContext, role: MemberRole, pointer?: string): void {
  const held = scopesOf(context.get("principal"));
  const missing = ROLE_SCOPES[role].filter((scope) => !held.includes(scope));
  if (missing.length === 0) return;
  const detail = `the role ${role} has scopes that you do not hold: ${missing.join(", ")}`;
  if (pointer !== undefined) throw fieldError("insufficient_scope", pointer, detail);
  throw new HttpError("insufficient_scope", detail);
}
