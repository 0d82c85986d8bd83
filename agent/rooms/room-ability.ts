// A room in the context of its participants: a hint names those who are there, and each message says whose it is.
import { MODERATOR, type SessionTeamValue } from "../../protocol/rooms/events.ts";
import type { Ability, AbilityDefinition } from "../ability.ts";
import { ROOM_ABILITY, ROOM_FOLD, type RoomTeam } from "./room-fold.ts";
import { withSpeakers } from "./with-speakers.ts";
import { withTurns } from "./with-turns.ts";

export const ROOM: AbilityDefinition<RoomTeam> = {
  state: ROOM_FOLD,
  open: ({ stateOf }) => roomAbility(() => stateOf(ROOM_FOLD)),
};

export function roomAbility(read: () => RoomTeam): Ability {
  return {
    name: ROOM_ABILITY,
    hint: {
      source: ROOM_ABILITY,
      outlivesReply: true,
      replacesEarlier: true,
      text() {
        const { team } = read();
        return team === null ? null : teamText(team);
      },
    },
    changeContext(messages) {
      const { team } = read();
      // Also without a team: an exported conversation still says who has spoken.
      if (team === null) return withSpeakers(messages, []);
      return withSpeakers(
        withTurns(messages),
        team.members.map(({ name }) => name),
      );
    },
  };
}

function teamText({ self, order, members }: SessionTeamValue): string {
  const others = members.filter(({ name }) => name !== self);
  const named = others.map(({ name, kind }) =>
    kind === "person" ? `${name} (a person)` : `${name} (an agent)`,
  );
  const list = named.length === 0 ? "nobody else yet" : named.join(", ");
  const spoken = "A message of another one begins with its name and a colon.";
  if (self === MODERATOR) {
    return `You moderate a conversation of several participants: ${list}. ${spoken} You say nothing in it: you name the one who speaks next, or nobody when it has come to its end.`;
  }
  const said = `What you write is said to all of them as yours; do not begin it with your name, and do not speak for another one.`;
  const asks =
    order === "mentioned" ? " Whoever you name with @ before the name answers next." : "";
  return `You are ${self} in a conversation of several participants: ${list}. ${spoken} ${said}${asks}`;
}
