import type { Once } from "../../durable-objects/api/session-api.ts";
import type { AuditAction } from "../../protocol/audit/contract.ts";
import type { Result } from "../../protocol/errors.ts";
import type { AppContext } from "../app-env.ts";
import { audited } from "../audit/audit.ts";
import { unwrap } from "../http-error.ts";

/**
 * A change of a memory by a key or a member. The entry names what was changed, and says nothing of its content. What end
 * users do to what is remembered of them is no administrative act, and has none.
 */
export async function auditedWrite<Value>(
  context: AppContext,
  action: AuditAction,
  target: string,
  write: () => Promise<Result<Value>>,
): Promise<Value> {
  if (context.get("principal").kind !== "tenant") return unwrap(await write());
  const run = async (): Promise<Once<Value>> => write();
  return unwrap(await audited(context, { action, target }, run));
}
