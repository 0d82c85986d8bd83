import { versionLoosening } from "../../agent/permission/version-loosening.ts";
import type { AgentDefinition } from "../../protocol/agents/contract.ts";
import type { AppContext } from "../app-env.ts";
import { requireScope } from "./require-scope.ts";

type Guarded = Pick<AgentDefinition, "permission" | "hooks">;

/**
 * Naming a version that is looser than the newest one needs the right to make the agent that loose. What a session has
 * already is not asked about.
 * @throws HttpError `insufficient_scope`.
 */
export function requireVersion(context: AppContext, newest: Guarded, named: Guarded): void {
  const loosening = versionLoosening(newest, named);
  if (!loosening) return;
  const why = `a version of the agent that, unlike the newest one, ${loosening.detail}`;
  requireScope(context, loosening.scope, why);
}
