import type { PermissionMode } from "../../protocol/messages/permission.ts";
import type { AppContext } from "../app-env.ts";
import { requireScope } from "./require-scope.ts";

/**
 * Mode `bypass` skips all confirmations, so enabling it needs a scope of its own; not needed where it is already
 * enabled.
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
