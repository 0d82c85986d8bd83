import type { AbilityDefinition } from "../agent/ability.ts";
import { BACKGROUND } from "../agent/background/background-ability.ts";
import { CONTEXT_FOLD } from "../agent/context/context-fold.ts";
import { contextAbility } from "../agent/context/context-ability.ts";
import { clientContextAbility } from "../agent/ag-ui/client-context-ability.ts";
import { memoryAbility } from "../agent/memory/memory-ability.ts";
import { MEMORY_FOLD } from "../agent/memory/memory-fold.ts";
import { REMOTE_CONTEXTS_FOLD } from "../agent/a2a/remote-contexts-fold.ts";
import { REMOTE_CONVERSATION_FOLD } from "../agent/a2a/remote-conversation-fold.ts";
import { missingToolsAbility } from "../agent/tools/missing-tools-ability.ts";
import { modelFormsAbility } from "../agent/models/model-forms-ability.ts";
import { MODEL_FORMS_FOLD } from "../agent/models/model-forms-fold.ts";
import { PLANS } from "../agent/plans/plans.ts";
import { REFUSED_MEDIA_FOLD } from "../agent/models/refused-media-fold.ts";
import { ROOM } from "../agent/rooms/room-ability.ts";
import { runtimeAbility } from "../agent/context/runtime-ability.ts";
import { sharedStateAbility } from "../agent/shared-state/shared-state-ability.ts";
import { SHARED_STATE_FOLD } from "../agent/shared-state/shared-state-fold.ts";
import { skillsAbility } from "../agent/skills/skills-ability.ts";
import { STRUCTURED_OUTPUT_ABILITY } from "../agent/tools/structured-output-ability.ts";
import { SWITCHED_TOOL_GROUPS } from "../agent/tool-groups/switched-tool-groups.ts";
import { sentSources } from "../agent/permission/untrusted-content.ts";
import { UNTRUSTED_CONTENT_FOLD } from "../agent/permission/untrusted-content-fold.ts";
import { DEPLOYED_ABILITIES } from "./deployed-abilities.ts";

const RUNTIME: AbilityDefinition = {
  open: ({ time_zone, nowMs }) => runtimeAbility(time_zone === null ? null : { time_zone, nowMs }),
};

const SHARED_STATE: AbilityDefinition = {
  state: SHARED_STATE_FOLD,
  open: ({ agent: { shared_state }, stateOf }) =>
    sharedStateAbility({
      read: () => stateOf(SHARED_STATE_FOLD),
      isWritable: shared_state?.enabled ?? false,
      schema: shared_state?.schema ?? null,
    }),
};

const CONTEXT: AbilityDefinition = {
  state: CONTEXT_FOLD,
  open: ({ agent: { context = {} }, history, stateOf, contextSize: size }) =>
    contextAbility(context, { history, size, state: () => stateOf(CONTEXT_FOLD) }),
};

const SKILLS: AbilityDefinition = {
  open: ({ agent: { skills = [] }, skills: pinned, skillLibrary: library }) =>
    skillsAbility({ hasSkills: skills.length > 0, pinned, library }),
};

const MEMORY: AbilityDefinition = {
  state: MEMORY_FOLD,
  open: ({ agent: { memory: settings = null }, memory, history, stateOf }) =>
    memoryAbility({
      settings,
      memory,
      history,
      context: () => stateOf(CONTEXT_FOLD),
      state: () => stateOf(MEMORY_FOLD),
      untrusted: () => sentSources(stateOf(UNTRUSTED_CONTENT_FOLD)),
    }),
};

const CLIENT_CONTEXT: AbilityDefinition = {
  open: ({ client_context }) => clientContextAbility(client_context),
};

const MISSING_TOOLS: AbilityDefinition = {
  open: ({ missingTools }) => missingToolsAbility(missingTools),
};

const MODEL_FORMS: AbilityDefinition = {
  state: MODEL_FORMS_FOLD,
  open: ({ stateOf }) => modelFormsAbility(() => stateOf(MODEL_FORMS_FOLD)),
};

/** A state and nothing else: the permission engine reads it. */
const UNTRUSTED: AbilityDefinition = {
  state: UNTRUSTED_CONTENT_FOLD,
  open: () => ({ name: UNTRUSTED_CONTENT_FOLD.name }),
};

/** A state and nothing else: models are told by it what they have refused. */
const REFUSED_MEDIA: AbilityDefinition = {
  state: REFUSED_MEDIA_FOLD,
  open: () => ({ name: REFUSED_MEDIA_FOLD.name }),
};

/** A state and nothing else: the adapter of an agent of another system goes on by it. */
const REMOTE: AbilityDefinition = {
  state: REMOTE_CONVERSATION_FOLD,
  open: () => ({ name: REMOTE_CONVERSATION_FOLD.name }),
};

/** A state and nothing else: the tools of agents of other systems begin their tasks by it. */
const REMOTE_CONTEXTS: AbilityDefinition = {
  state: REMOTE_CONTEXTS_FOLD,
  open: () => ({ name: REMOTE_CONTEXTS_FOLD.name }),
};

const STRUCTURED_OUTPUT: AbilityDefinition = { open: () => STRUCTURED_OUTPUT_ABILITY };

/** Every ability of this deployment, in the order of their hints: the reminder of structured output is last. */
export function listAbilities(): readonly AbilityDefinition[] {
  return [
    RUNTIME,
    ROOM,
    SHARED_STATE,
    PLANS,
    SKILLS,
    SWITCHED_TOOL_GROUPS,
    BACKGROUND,
    CLIENT_CONTEXT,
    MEMORY,
    MISSING_TOOLS,
    MODEL_FORMS,
    UNTRUSTED,
    REFUSED_MEDIA,
    REMOTE,
    REMOTE_CONTEXTS,
    ...DEPLOYED_ABILITIES,
    CONTEXT,
    STRUCTURED_OUTPUT,
  ];
}
