import type { PermissionMode } from "../../protocol/messages/permission.ts";
import type { AppContext } from "../app-env.ts";
import { requireScope } from "./require-scope.ts";

/**
 * In the mode `bypass` nobody is asked: turning it on is a right of its own. Not needed where it is on already.
 * @throws HttpError `insufficient_scope`.
 */
export function requireBypass(
  context: AppContext,
  mode: PermissionMode | null | undefined,
  before?: PermissionMode,
): void {
  if (mode !== "bypass" || before === "bypass") return;
  requireScope(context, "permission_bypass:write", "the permission mode bypass");
}
