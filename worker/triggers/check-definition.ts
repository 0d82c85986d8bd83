// Checks of a trigger that its schema cannot make: what it names has to be there, and whoever makes it has to have the right.
import { findScheduleProblem } from "../../agent/triggers/schedule-times.ts";
import type { TriggerDefinition } from "../../protocol/triggers/contract.ts";
import { findPayloadProblem } from "../../protocol/triggers/payload-template.ts";
import { isOfAgent, type AgentTriggerDefinition } from "../../protocol/triggers/target.ts";
import { tenantStorage } from "../../storage/tenants/tenant-storage.ts";
import type { AppContext } from "../app-env.ts";
import { requireBypass } from "../auth/require-bypass.ts";
import { requireScope } from "../auth/require-scope.ts";
import { requireVersion } from "../auth/require-version.ts";
import { fieldError, HttpError } from "../http-error.ts";
import { tenantOf } from "../principal.ts";
import { readPinnedAgent } from "../sessions/read-pinned-agent.ts";

interface CheckedDefinition {
  readonly definition: TriggerDefinition;
  readonly hasWebhook: boolean;
  /** The definition before a change: what is there already is not asked about again. */
  readonly before?: TriggerDefinition;
}

/** @throws HttpError for what is wrong, with its pointer. */
export async function checkDefinition(
  context: AppContext,
  { definition, hasWebhook, before }: CheckedDefinition,
): Promise<void> {
  const { schedule, permission, returns_untrusted, room_id } = definition;
  if (permission) requireBypass(context, permission.mode, before?.permission?.mode);
  // Others speak in a room, too: whoever lets something speak there may speak there.
  if (room_id !== null) requireScope(context, "rooms:write", "a trigger of a room");
  if (!returns_untrusted && before?.returns_untrusted !== false) {
    requireScope(context, "permission_rules:write", "returns_untrusted: false");
  }
  if (schedule && hasWebhook) {
    const detail = "a trigger has a schedule or a webhook; make two triggers for both";
    throw fieldError("validation_failed", "#/schedule", detail);
  }
  const isChanged = JSON.stringify(schedule) !== JSON.stringify(before?.schedule ?? null);
  const problem = schedule && isChanged ? findScheduleProblem(schedule, Date.now()) : null;
  if (problem !== null) {
    throw fieldError("validation_failed", "#/schedule", `the schedule ${problem}`);
  }
  const place = findPayloadProblem(definition, hasWebhook);
  if (place) throw fieldError("validation_failed", place.pointer, `it ${place.detail}`);
  if (isOfAgent(definition)) await checkAgent(context, definition, before);
  else if (room_id !== null && !before) await checkRoom(context, room_id);
}

async function checkRoom(context: AppContext, roomId: string): Promise<void> {
  const { rooms } = tenantStorage(context.env.DB, tenantOf(context));
  if (await rooms.isThere(roomId)) return;
  throw fieldError("not_found", "#/room_id", "there is no such room");
}

async function checkAgent(
  context: AppContext,
  { agent_id, agent_version }: AgentTriggerDefinition,
  before: TriggerDefinition | undefined,
): Promise<void> {
  if (before && before.agent_version === agent_version) return;
  const { agents } = tenantStorage(context.env.DB, tenantOf(context));
  const agent = await agents.read(agent_id);
  if (!agent) {
    // Of a change it is no part of the request.
    if (before) throw new HttpError("conflict", "the trigger's agent was deleted");
    throw fieldError("not_found", "#/agent_id", "there is no such agent");
  }
  const version = agent_version === "latest" ? agent.version : agent_version;
  const snapshot = await readPinnedAgent(context, agent_id, version, agent);
  requireVersion(context, agent, snapshot.definition);
}
