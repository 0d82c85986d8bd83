// Opens the abilities of a session with their ports.
import type { Ability } from "../../agent/ability.ts";
import type { SessionMemory } from "../../agent/memory-store.ts";
import type { SkillLibrary } from "../../agent/skill-library.ts";
import type { Msg } from "../../protocol/messages/messages.ts";
import { listAbilities } from "../../tools/list-abilities.ts";
import type { SessionInit } from "../api/session-api.ts";
import type { SessionTables } from "../tables/session-tables.ts";
import { equippedAgent } from "../../agent/tools/equipped-agent.ts";
import { missingTools } from "./missing-tools.ts";
import { eventPermissionContext, type PermissionInit } from "./permission-context.ts";
import { unreadMemory } from "./reply-memory.ts";
import { pinnedSkillsOf, UNREAD_SKILLS } from "./session-skills.ts";
import { windowOf } from "./window-of.ts";

/**
 * @param init The settings of the open reply, or of the next one when none is open.
 * @param history What the open reply's model sees before it; left out where no reply is run.
 * @param session The session's settings at the moment; those of `init` when left out.
 * @param skillLibrary Left out where no call is settled, as `memory` is.
 */
export function openAbilities(
  init: Pick<SessionInit, "agent" | "time_zone" | "client" | "skills" | "tools"> &
    Partial<PermissionInit> &
    Partial<Pick<SessionInit, "session_id" | "end_user_id" | "parent">>,
  tables: Pick<SessionTables, "abilities" | "rules" | "mcp">,
  history: readonly Msg[] = [],
  session: () => Partial<PermissionInit> = () => init,
  skillLibrary: SkillLibrary = UNREAD_SKILLS,
  memory: SessionMemory = unreadMemory(init),
): readonly Ability[] {
  const { time_zone, client } = init;
  const agent = equippedAgent(init);
  return listAbilities().map((definition) =>
    definition.open({
      agent,
      isCalled: init.parent !== undefined,
      time_zone: time_zone ?? null,
      client_context: client?.context ?? [],
      nowMs: () => Date.now(),
      history: () => history,
      contextSize: windowOf(agent),
      permissionContext: () => eventPermissionContext({ ...session(), agent }, tables),
      skills: pinnedSkillsOf(init),
      skillLibrary,
      memory,
      missingTools: () => missingTools(agent, tables),
      stateOf: (fold) => tables.abilities.read(fold),
    }),
  );
}
