import type { ToolDefinition } from "../../protocol/tools/contract.ts";
import { tenantStorage } from "../../storage/tenants/tenant-storage.ts";
import type { AppContext } from "../app-env.ts";
import { requireScope } from "../auth/require-scope.ts";
import { checkAgentTools } from "../agents/check-agent-tools.ts";
import { tenantOf } from "../principal.ts";
import { checkAddresses } from "../requests/check-addresses.ts";
import { checkCodeTools } from "../tools/check-code-tools.ts";
import { checkCredentials } from "../requests/check-credentials.ts";

/**
 * Checks a session's own tools as an agent's are, but for their names, which depend on the session's agent. They decide
 * what a model can do, so they require the right to write agents.
 */
export async function checkSessionTools(
  context: AppContext,
  tools: ToolDefinition[] | undefined,
): Promise<void> {
  if (!tools) return;
  requireScope(context, "agents:write", "the field tools");
  checkCodeTools({ tools });
  checkAddresses({ tools }, context.env);
  const { agents, credentials } = tenantStorage(context.env.DB, tenantOf(context));
  await checkCredentials({ tools }, credentials);
  await checkAgentTools({ tools }, agents);
}
