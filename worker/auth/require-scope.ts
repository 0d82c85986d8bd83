// An additional scope that only some requests of a route need.
import type { Scope } from "../../protocol/keys/contract.ts";
import type { AppContext } from "../app-env.ts";
import { HttpError } from "../http-error.ts";
import { scopesOf } from "../principal.ts";

/** @param why The part of the request that needs it, for the message. @throws HttpError `insufficient_scope`. */
export function requireScope(context: AppContext, scope: Scope, why: string): void {
  if (scopesOf(context.get("principal")).includes(scope)) return;
  throw new HttpError("insufficient_scope", `${why} needs the scope ${scope}`, {
    extensions: { required_scope: scope },
  });
}
