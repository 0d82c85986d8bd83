// The ports of a reply that is run again: the models are real, everything else is in memory.
import type { Ability } from "../../agent/ability.ts";
import { MODEL_FORMS_FOLD } from "../../agent/models/model-forms-fold.ts";
import { CONTEXT_FOLD } from "../../agent/context/context-fold.ts";
import type { ContextKeeper } from "../../agent/context/context-keeper.ts";
import type { Model, NewId, ToolDeclaration } from "../../agent/ports.ts";
import type { ReplayLog } from "../../agent/replay/replay-log.ts";
import { refundDeskTurn } from "../../demo/refund-desk-turn.ts";
import type { ModelContext } from "../../model/create-model.ts";
import { egressRules } from "../../outgoing/egress-rules.ts";
import { createOutgoing } from "../../outgoing/outgoing.ts";
import { createSecretSource } from "../../outgoing/secret-source.ts";
import type { AgentDefinition } from "../../protocol/agents/contract.ts";
import type { Msg } from "../../protocol/messages/messages.ts";
import type { PinnedSkills } from "../../protocol/skills/skill.ts";
import { openPinnedCredentials } from "../../storage/credentials/pinned-credentials.ts";
import { readTenantKey } from "../../storage/credentials/tenant-key-storage.ts";
import { masterKeyOf } from "../../storage/secrets/deployment-secrets.ts";
import { listAbilities } from "../../tools/list-abilities.ts";
import { declareTools } from "../../tools/tool-runner.ts";
import type { ReplayRequest } from "../api/replay-request.ts";
import type { SessionInit } from "../api/session-api.ts";
import { openContextKeeper } from "../context/open-context-keeper.ts";
import { equippedAgent } from "../../agent/tools/equipped-agent.ts";
import { openModels } from "../settings/open-models.ts";
import { unreadMemory } from "../settings/reply-memory.ts";
import { sessionMedia } from "../settings/session-media.ts";
import { UNREAD_SKILLS } from "../settings/session-skills.ts";
import { windowOf } from "../settings/window-of.ts";
import type { McpTable } from "../tables/mcp-table.ts";
import type { ReplayStates } from "./replay-states.ts";

/** @throws when the master key does not fit. */
export async function openModelContext(
  env: Env,
  init: SessionInit,
  { agent, origin, trace }: ReplayRequest,
): Promise<ModelContext> {
  const { tenant_id, session_id } = init;
  const opened = await openPinnedCredentials({ ...agent, tenant_id }, masterKeyOf(env), () =>
    readTenantKey(env.DB, tenant_id),
  );
  return {
    outgoing: createOutgoing({ ...egressRules(env), fetch, trace }),
    secrets: createSecretSource(opened),
    decideTurn: refundDeskTurn,
    media: sessionMedia(env, { tenant_id, session_id, origin: init.origin ?? origin }),
  };
}

interface PortsOfReply {
  readonly agent: AgentDefinition;
  readonly skills: PinnedSkills;
  readonly init: SessionInit;
  readonly states: ReplayStates;
  /** The catalogues of MCP servers as the session's newest reply had them. */
  readonly mcp: Pick<McpTable, "pins">;
  readonly modelContext: ModelContext;
  readonly log: ReplayLog;
  readonly history: readonly Msg[];
  readonly newId: NewId;
  /** When the recorded reply began: what a hint says about the time is what it said then. */
  readonly atMs: number;
}

interface ReplayPorts {
  readonly abilities: readonly Ability[];
  readonly tools: () => readonly ToolDeclaration[];
  readonly models: readonly [Model, ...Model[]];
  readonly context: ContextKeeper;
}

/**
 * The tools of a client are those of the session's newest run, and the session's own are those of now: which ones earlier
 * replies had is not recorded.
 */
export function openReplayPorts(ports: PortsOfReply): ReplayPorts {
  const { skills, init, states, log, history, atMs, mcp, newId } = ports;
  const formOf = (author: string) => states.read(MODEL_FORMS_FOLD)[author];
  const modelContext = { ...ports.modelContext, formOf };
  const agent = equippedAgent({ agent: ports.agent, tools: init.tools });
  const abilities = listAbilities().map((definition) =>
    definition.open({
      agent,
      isCalled: init.parent !== undefined,
      time_zone: init.time_zone ?? null,
      client_context: init.client?.context ?? [],
      nowMs: () => atMs,
      // A replay changes no permission: what it says of plans goes without it.
      permissionContext: () => undefined,
      history: () => history,
      contextSize: windowOf(agent),
      skills,
      // The calls of skills are answered from the record.
      skillLibrary: UNREAD_SKILLS,
      // So are those of memory, and what was recalled is told again.
      memory: unreadMemory({ ...init, agent }),
      // The catalogues pinned now are the newest reply's; a hint about them would not be one of the recorded reply's.
      missingTools: () => [],
      stateOf: (fold) => states.read(fold),
    }),
  );
  const name = log.state.model_options?.model;
  const models = openModels(agent, name, modelContext);
  return {
    abilities,
    tools: () => declareTools({ ...agent, abilities, client_tools: init.client?.tools, mcp }),
    models,
    context: openContextKeeper({
      agent: ports.agent,
      models,
      modelContext: ports.modelContext,
      reply: () => log.state,
      state: () => states.read(CONTEXT_FOLD),
      newId,
    }),
  };
}
