// A scope beside the route's own, which only some requests need.
import type { Scope } from "../../protocol/api/api-keys.ts";
import type { AppContext } from "../app-env.ts";
import { HttpError } from "../http-error.ts";
import { scopesOf } from "../principal.ts";

/** @param why What of the request needs it. @throws HttpError `insufficient_scope` for a credential that lacks it. */
export function requireScope(context: AppContext, scope: Scope, why: string): void {
  if (scopesOf(context.get("principal")).includes(scope)) return;
  throw new HttpError("insufficient_scope", `${why} needs the scope ${scope}`, {
    extensions: { required_scope: scope },
  });
}
