import type { AgentSnapshot } from "../../storage/agents/agent-snapshot.ts";
import { fieldError } from "../http-error.ts";

/**
 * A retired version is given to nothing any more.
 * @param pointer Of the member that names it. @throws HttpError `conflict`.
 */
export function refuseRetired(
  { version, is_retired }: Pick<AgentSnapshot, "version" | "is_retired">,
  pointer: string,
): void {
  if (!is_retired) return;
  const detail = `version ${version} of the agent is retired; leave it out for the newest version, or bring it back with PATCH /v1/agents/{agent_id}/versions/${version} {"retired": false}`;
  throw fieldError("conflict", pointer, detail);
}
