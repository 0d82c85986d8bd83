import type { SigningMember } from "../../storage/members/session-statements.ts";
import { OPERATOR_ROWS } from "../../storage/tables/row-owner.ts";
import { refuseStopped } from "../auth/admit-tenant.ts";
import { fieldError } from "../http-error.ts";
import type { ConsolePath } from "./console-cookie.ts";

/** An owner that no row has. */
const NOBODY = "nobody";

/**
 * The owner of the members who sign in at this address: of the operator's console the operator, of `/console` the tenant that
 * the page names. The operator is no tenant there, and answers as an unknown one.
 * @throws HttpError where a page names a tenant and should not, or does not and should.
 */
export function signingOwner(path: ConsolePath, tenantId: string | undefined): string {
  if (path === "/operator") {
    if (tenantId === undefined) return OPERATOR_ROWS;
    throw fieldError("validation_failed", "#/tenant_id", "the operator's console is no tenant's");
  }
  if (tenantId === undefined) {
    throw fieldError("validation_failed", "#/tenant_id", "names the tenant whose console it is");
  }
  return tenantId === OPERATOR_ROWS ? NOBODY : tenantId;
}

/** The tenant to whose sign-in page a refused person goes back; none for the operator's console, which has one. */
export function tenantToReturnTo(ownerId: string): { readonly tenantId?: string } {
  return ownerId === OPERATOR_ROWS ? {} : { tenantId: ownerId };
}

/** @throws HttpError for a tenant that is suspended or closed; the operator never is. */
export function refuseStoppedOwner({ tenant }: SigningMember): void {
  if (tenant) refuseStopped(tenant.status);
}
