// Participants of a request before a room is made of them: agents that exist in versions that may be named, and forms that
// people can be asked.
import { readInputRequest } from "../../agent/inputs/read-input-request.ts";
import type { AgentVersionChoice } from "../../protocol/agents/agent-version-choice.ts";
import type { ParticipantInput } from "../../protocol/rooms/participants.ts";
import { readAgentSnapshot } from "../../storage/agents/agent-snapshot.ts";
import { namedCredentials } from "../../storage/credentials/named-credentials.ts";
import { tenantStorage } from "../../storage/tenants/tenant-storage.ts";
import { refuseRetired } from "../agents/refuse-retired.ts";
import type { AppContext } from "../app-env.ts";
import { requireVersion } from "../auth/require-version.ts";
import { fieldError, HttpError } from "../http-error.ts";
import { tenantOf } from "../principal.ts";

interface NamedAgent {
  readonly agent_id: string;
  readonly agent_version?: AgentVersionChoice | undefined;
}

/**
 * @param pointer Of the agent in the request.
 * @throws HttpError 404 for an agent or a version that does not exist, 409 for one that is retired or has lost a credential,
 *   403 for one that is looser than the newest and needs a scope for it.
 */
export async function checkAgent(
  context: AppContext,
  { agent_id, agent_version }: NamedAgent,
  pointer: string,
): Promise<void> {
  const tenantId = tenantOf(context);
  const newest = await tenantStorage(context.env.DB, tenantId).agents.read(agent_id);
  if (!newest) throw fieldError("not_found", `${pointer}/agent_id`, "there is no such agent");
  const version = typeof agent_version === "number" ? agent_version : newest.version;
  const at = `${pointer}/agent_version`;
  const snapshot = await readAgentSnapshot(context.env.DB, tenantId, agent_id, version);
  if (!snapshot) throw fieldError("not_found", at, "the agent has no such version");
  if (typeof agent_version === "number") {
    refuseRetired(snapshot, at);
    requireVersion(context, newest, snapshot.definition);
  }
  const lost = namedCredentials(snapshot.definition).find(({ id }) => !snapshot.credentials[id]);
  if (!lost) return;
  throw new HttpError(
    "conflict",
    `version ${version} of the agent names a credential that was deleted; give the agent another one`,
    {
      extensions: { agent_pointer: lost.pointer },
      errors: [{ pointer, detail: "the agent names a credential that was deleted" }],
    },
  );
}

/** The participant as the room gets it: a form without what forms do not have. @throws HttpError as {@link checkAgent}. */
export async function checkParticipant(
  context: AppContext,
  participant: ParticipantInput,
  pointer: string,
): Promise<ParticipantInput> {
  if (participant.kind === "agent") {
    await checkAgent(context, participant, pointer);
    return participant;
  }
  if (!participant.form) return participant;
  const read = readInputRequest({
    mode: "form",
    message: participant.name,
    requestedSchema: participant.form,
  });
  if (read.type !== "request" || read.request.mode !== "form") {
    const detail =
      read.type === "secret"
        ? "a form asks for no secrets"
        : "a form is a flat object of texts, numbers, booleans and choices, as MCP's elicitation has it";
    throw fieldError("validation_failed", `${pointer}/form`, detail);
  }
  return { ...participant, form: read.request.requested_schema as typeof participant.form };
}
