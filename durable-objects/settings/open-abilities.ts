// The one place in which the abilities of a session get their ports.
import type { Ability } from "../../agent/ability.ts";
import { listAbilities } from "../../tools/list-abilities.ts";
import type { SessionInit } from "../api/session-api.ts";
import type { SessionTables } from "../tables/session-tables.ts";

/** @param init What the open reply began with, else what the next one will begin with. */
export function openAbilities(
  { agent, time_zone, client }: Pick<SessionInit, "agent" | "time_zone" | "client">,
  { abilities }: Pick<SessionTables, "abilities">,
): readonly Ability[] {
  return listAbilities().map((definition) =>
    definition.open({
      agent,
      time_zone: time_zone ?? null,
      client_context: client?.context ?? [],
      nowMs: () => Date.now(),
      stateOf: (fold) => abilities.read(fold),
    }),
  );
}
