import { isFormerScope, type Scope } from "../../protocol/keys/contract.ts";
import { HttpError } from "../http-error.ts";

/**
 * The scopes of a new credential: those that are wanted, all of its maker by default.
 * @param wanted Undefined stands for a scope of before, which nobody gets.
 * @throws HttpError `insufficient_scope` with each one that the maker lacks.
 */
export function grantScopes(
  wanted: readonly (Scope | undefined)[] | undefined,
  held: readonly Scope[],
): Scope[] {
  if (!wanted) return held.filter((scope) => !isFormerScope(scope));
  const errors = wanted.flatMap((scope, index) =>
    scope === undefined || held.includes(scope)
      ? []
      : [{ pointer: `#/scopes/${index}`, detail: `you do not hold ${scope} yourself` }],
  );
  if (errors.length > 0) {
    throw new HttpError("insufficient_scope", "a key gets no scope that its maker lacks", {
      errors,
    });
  }
  return [...new Set(wanted.filter((scope) => scope !== undefined))];
}
