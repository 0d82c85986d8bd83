// Skills and their versions. The bytes of a version are one object in R2, of a row of `files` with the status `skill`.
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

import type { SkillFile } from "../../protocol/skills/contract.ts";
import { changeTimes, tenantRow } from "../tables/shared-columns.ts";

/** Skills, with the members of the newest version that a list shows. */
export const skills = sqliteTable(
  "skills",
  {
    ...tenantRow,
    name: text().notNull(),
    description: text().notNull(),
    /** The newest version's number. */
    version: integer().notNull(),
    file_count: integer().notNull(),
    bytes: integer().notNull(),
    ...changeTimes,
  },
  (table) => [index("skills_tenant").on(table.tenant_id, table.id)],
);

/** Rows are written once and never changed. */
export const skillVersions = sqliteTable(
  "skill_versions",
  {
    tenant_id: text().notNull(),
    skill_id: text().notNull(),
    version: integer().notNull(),
    description: text().notNull(),
    /** The row of `files`; its object has the bytes of all files, one behind the other in the order of `files`. */
    file_id: text().notNull(),
    /** In the order of their bytes. */
    files: text({ mode: "json" }).$type<readonly SkillFile[]>().notNull(),
    /** Bytes before the instructions in SKILL.md, behind the front matter. */
    body_offset: integer().notNull(),
    bytes: integer().notNull(),
    created_at: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.skill_id, table.version] })],
);
