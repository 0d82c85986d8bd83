// Rights that are needed to give a role, and to change or remove a member who has it: all rights of the role.
import { OPERATOR_ROLE_RIGHTS, type OperatorRole } from "../../protocol/members/operator-roles.ts";
import { type MemberRole, ROLE_SCOPES } from "../../protocol/members/roles.ts";
import type { AppContext } from "../app-env.ts";
import { fieldError, HttpError } from "../http-error.ts";
import { scopesOf } from "../principal.ts";

/** @param pointer The field of the request that names the role. @throws HttpError `insufficient_scope`. */
export function requireRole(context: AppContext, role: MemberRole, pointer?: string): void {
  refuseMissing(
    role,
    "scopes",
    missing(ROLE_SCOPES[role], scopesOf(context.get("principal"))),
    pointer,
  );
}

/** As {@link requireRole}, for a role of the operator's people. */
export function requireOperatorRole(
  context: AppContext,
  role: OperatorRole,
  pointer?: string,
): void {
  const principal = context.get("principal");
  const held = principal.kind === "operator" ? principal.rights : [];
  refuseMissing(role, "rights", missing(OPERATOR_ROLE_RIGHTS[role], held), pointer);
}

function missing(wanted: readonly string[], held: readonly string[]): readonly string[] {
  return wanted.filter((right) => !held.includes(right));
}

function refuseMissing(
  role: string,
  what: "scopes" | "rights",
  lacking: readonly string[],
  pointer: string | undefined,
): void {
  if (lacking.length === 0) return;
  const detail = `the role ${role} has ${what} that you do not hold: ${lacking.join(", ")}`;
  if (pointer !== undefined) throw fieldError("insufficient_scope", pointer, detail);
  throw new HttpError("insufficient_scope", detail);
}
