import type { AgentDefinition } from "../../protocol/agents/contract.ts";
import type { AppContext } from "../app-env.ts";
import { requireScope } from "./require-scope.ts";

type Permission = Pick<AgentDefinition["permission"], "bypass_untrusted">;

/**
 * Scope for a change by which mode `bypass` holds in spite of untrusted content: that of the mode; none where it holds
 * already.
 * @throws HttpError `insufficient_scope`.
 */
export function requireUntrustedBypass(
  context: AppContext,
  { bypass_untrusted }: Permission,
  before: Permission = {},
): void {
  if (!bypass_untrusted || before.bypass_untrusted) return;
  requireScope(context, "permission_bypass:write", "permission.bypass_untrusted");
}
