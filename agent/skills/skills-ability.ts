// Lets the model read its skills, whose names and descriptions are in the system prompt.
import { READ_SKILL_BYTES, SKILL_LIST_CHARACTERS } from "../../protocol/skills/limits.ts";
import { READ_SKILL_TOOL, type PinnedSkills } from "../../protocol/skills/skill.ts";
import type { Ability } from "../ability.ts";
import { READ_SKILL, readSkill, type ReadSkillInput } from "./read-skill-tool.ts";
import type { SkillLibrary } from "../skill-library.ts";
import { roomForResults } from "../state/budget.ts";

/** The name of the ability, and the `source` of its hints. */
const SKILLS = "skills";

interface SessionSkills {
  /** Whether the agent names skills. */
  readonly hasSkills: boolean;
  /** The skills of the reply, each at the version that the reply began with. */
  readonly pinned: PinnedSkills;
  readonly library: SkillLibrary;
}

export function skillsAbility({ hasSkills, pinned, library }: SessionSkills): Ability {
  if (!hasSkills) return { name: SKILLS };
  return {
    name: SKILLS,
    hint: {
      source: SKILLS,
      outlivesReply: true,
      replacesEarlier: true,
      retraction: "All of your skills are available again.",
      text: () => describeLost(pinned),
    },
    tools: {
      kind: "outside",
      declare: () => [READ_SKILL],
      async settle({ input }, reply, stop) {
        // A text has no more units than bytes; around it are its place and the list of files.
        const room = Math.min(READ_SKILL_BYTES, roomForResults(reply) - 2 * SKILL_LIST_CHARACTERS);
        if (room <= 0) return { text: "The reply has no room for more of it.", isError: true };
        const reading = { skills: pinned.found, library, room };
        return readSkill(input as ReadSkillInput, reading, stop);
      },
    },
  };
}

function describeLost({ lost }: PinnedSkills): string | null {
  if (lost.length === 0) return null;
  const names = lost.map(({ id, name }) => (name === null ? id : `${name} (${id})`)).join(", ");
  const which = lost.length === 1 ? "This skill of yours is" : "These skills of yours are";
  const why = lost.every(({ reason }) => reason === "deleted")
    ? "not available any more"
    : "not available at the moment";
  return `${which} ${why}: ${names}. Go on without; do not ask ${READ_SKILL_TOOL} for it.`;
}
