import { operatorStorage } from "../../storage/tenants/operator-storage.ts";
import type { AppContext } from "../app-env.ts";
import { fieldError } from "../http-error.ts";

/**
 * Whose affairs the request is about: the operator has to say it, a tenant may only name itself.
 * @param pointer Where the request names it.
 * @throws HttpError for another tenant, and for one that there is not.
 */
export async function namedTenant(
  context: AppContext,
  named: string | undefined,
  pointer: string,
): Promise<string> {
  const principal = context.get("principal");
  if (principal.kind === "tenant") {
    if (named === undefined || named === principal.tenantId) return principal.tenantId;
  } else if (named === undefined) {
    throw fieldError("validation_failed", pointer, "the operator names the tenant here");
  } else if (await operatorStorage(context.env.DB).readTenant(named)) {
    return named;
  }
  throw fieldError("not_found", pointer, "there is no such tenant");
}
