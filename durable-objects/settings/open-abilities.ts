// Opens the abilities of a session with their ports.
import type { Ability } from "../../agent/ability.ts";
import type { Msg } from "../../protocol/messages/messages.ts";
import { listAbilities } from "../../tools/list-abilities.ts";
import type { SessionInit } from "../api/session-api.ts";
import type { SessionTables } from "../tables/session-tables.ts";
import { equippedAgent } from "./equipped-agent.ts";
import { windowOf } from "./window-of.ts";

/**
 * @param init The settings of the open reply, or of the next one when none is open.
 * @param history What the open reply's model sees before it; left out where no reply is run.
 */
export function openAbilities(
  { agent, time_zone, client }: Pick<SessionInit, "agent" | "time_zone" | "client">,
  { abilities }: Pick<SessionTables, "abilities">,
  history: readonly Msg[] = [],
): readonly Ability[] {
  const { time_zone, client } = init;
  const agent = equippedAgent(init);
  return listAbilities().map((definition) =>
    definition.open({
      agent,
      time_zone: time_zone ?? null,
      client_context: client?.context ?? [],
      nowMs: () => Date.now(),
      history: () => history,
      contextSize: windowOf(agent),
      stateOf: (fold) => abilities.read(fold),
    }),
  );
}
