// Skills in the tenancy suite.
import type { SKILL_ROUTES } from "../../protocol/skills/routes.ts";
import type { Place, Row } from "./row.ts";

/** Places at which a definition of an agent names a skill. */
export const SKILL_PLACES: readonly Place[] = [
  {
    where: "body skills.0",
    id: ({ ids }) => ids.skill_id,
    body: (skill_id) => ({ name: "A", skills: [skill_id] }),
    refused: 400,
  },
  {
    where: "body skills.0.id",
    id: ({ ids }) => ids.skill_id,
    body: (id) => ({ name: "A", skills: [{ id, version: 1 }] }),
    refused: 400,
  },
];
/** Before everything that any tenant has. */
const newest: Place = {
  where: "query page",
  id: () => btoa(`skl_${"z".repeat(26)}`).replaceAll("=", ""),
  query: (page) => `page=${page}`,
  refused: 200,
};

/** Its name is the word, as a version needs the name of its skill. */
function folder(word: string): object {
  const text = `---\nname: ${word}\ndescription: New skill ${word}\n---\n${word}`;
  return { files: [{ path: "SKILL.md", text }] };
}

export const SKILL_ROWS = {
  createSkill: { answers: 201, body: ({ word }) => folder(word) },
  listSkills: { answers: 200, places: [newest] },
  readSkill: { answers: 200 },
  deleteSkill: { answers: 204, isSilent: true },
  createSkillVersion: { answers: 201, body: ({ word }) => folder(word) },
  listSkillVersions: { answers: 200 },
  readSkillVersion: { answers: 200 },
  readSkillContent: { answers: 200, query: () => "path=SKILL.md" },
} as const satisfies Record<(typeof SKILL_ROUTES)[number]["name"], Row>;
