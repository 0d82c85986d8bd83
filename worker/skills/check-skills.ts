import type { AgentDefinition, AgentUpdate } from "../../protocol/agents/contract.ts";
import { skillToolProblems } from "../../protocol/skills/contract.ts";
import type { FieldError } from "../../protocol/field-error.ts";
import { skillReferences, type PinnedSkills } from "../../protocol/skills/skill.ts";
import { readPinnedSkills } from "../../storage/skills/pinned-skills.ts";
import { openDatabase } from "../../storage/statements/database.ts";
import type { AppContext } from "../app-env.ts";
import { HttpError } from "../http-error.ts";
import { tenantOf } from "../principal.ts";

/**
 * Refuses an agent that names a skill, or a version of one, that its tenant lacks, or two skills of one name. Checks only
 * the members that a change sets: an agent can be renamed when its skill is gone.
 * @param changes What the request sets. @param definition With what the change leaves.
 * @returns the versions of the skills that are named, as they are now.
 */
export async function checkSkills(
  context: AppContext,
  changes: AgentUpdate,
  definition: Pick<AgentDefinition, "tools" | "skills">,
): Promise<PinnedSkills> {
  const references = skillReferences(changes.skills);
  const database = openDatabase(context.env.DB);
  const pinned = await readPinnedSkills(database, tenantOf(context), references);
  const errors = [...skillToolProblems(definition), ...findProblems(changes, pinned)];
  if (errors.length === 0) return pinned;
  throw new HttpError(
    "validation_failed",
    "the agent names skills that it cannot use, or a tool that reads them; `errors` says where",
    { errors },
  );
}

function findProblems({ skills }: AgentUpdate, { found }: PinnedSkills): readonly FieldError[] {
  return skillReferences(skills).flatMap(({ id, version }, index) => {
    const pointer = `#/skills/${index}`;
    const place = found.findIndex((one) => one.id === id);
    const skill = found[place];
    if (!skill) {
      const detail =
        version === undefined ? "there is no such skill" : "there is no such version of this skill";
      return [{ pointer, detail }];
    }
    const isSecond = found.findIndex(({ name }) => name === skill.name) < place;
    if (!isSecond) return [];
    return [{ pointer, detail: `another skill of the agent is called ${skill.name}, too` }];
  });
}
