// The versions that an agent's skills have at this moment.
import { sql } from "drizzle-orm";

import {
  nameOfSkill,
  NO_SKILLS,
  type LostSkill,
  type PinnedSkill,
  type PinnedSkills,
  type SkillReference,
} from "../../protocol/skills/skill.ts";
import type { Database } from "../statements/database.ts";

/**
 * One query; none without references. In the order of the references.
 * @param before The skills that were known: from there is the name of one that was deleted since.
 */
export async function readPinnedSkills(
  database: Database,
  tenantId: string,
  references: readonly SkillReference[],
  before: PinnedSkills = NO_SKILLS,
): Promise<PinnedSkills> {
  if (references.length === 0) return NO_SKILLS;
  const found = await database.all<PinnedSkill>(
    sql`SELECT s.id, v.version, s.name, v.description
      FROM json_each(${JSON.stringify(references)}) AS wanted
      JOIN skills s ON s.id = json_extract(wanted.value, '$.id') AND s.tenant_id = ${tenantId}
      JOIN skill_versions v ON v.skill_id = s.id
        AND v.version = coalesce(json_extract(wanted.value, '$.version'), s.version)
      ORDER BY wanted.key`,
  );
  const lost = references.flatMap(({ id }): readonly LostSkill[] =>
    found.some((one) => one.id === id)
      ? []
      : [{ id, name: nameOfSkill(id, before), reason: "deleted" }],
  );
  return { found, lost };
}
