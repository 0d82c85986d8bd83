import { operatorStorage } from "../../storage/operator/operator-storage.ts";
import type { AppContext } from "../app-env.ts";
import { fieldError } from "../http-error.ts";

/**
 * The tenant of a request that may name one: required from the operator; a tenant may only name itself.
 * @param pointer JSON pointer of the field that names it.
 * @throws HttpError for another tenant, and for one that does not exist.
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
