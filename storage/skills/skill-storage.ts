import { and, desc, eq, lt, sql } from "drizzle-orm";

import type { Page } from "../../protocol/schemas/common.ts";
import type { Skill, SkillVersion, SkillVersionSummary } from "../../protocol/skills/contract.ts";
import { recordStatements, type WriteAudit } from "../audit/audit-storage.ts";
import type { Database } from "../statements/database.ts";
import type { KeepAnswer } from "../requests/idempotency-storage.ts";
import { toPage, type ListRequest } from "../statements/page.ts";
import { files } from "../files/table.ts";
import { skills, skillVersions } from "./table.ts";

/** A version that is about to be written: its bytes are in R2, and the row of `files` still says `uploading`. */
export interface NewSkillVersion {
  /** The version, as it will be shown. */
  readonly version: SkillVersion;
  readonly file_id: string;
  readonly etag: string;
  /** Bytes before the instructions in SKILL.md. */
  readonly body_offset: number;
}

/** Records that are written with a version, in its batch. */
interface Recorded {
  readonly keep?: KeepAnswer | undefined;
  readonly audit?: WriteAudit | undefined;
}

/** A version with the place of its bytes. */
export interface StoredSkillVersion {
  readonly version: SkillVersion;
  readonly file_id: string;
  readonly body_offset: number;
}

export interface SkillStorage {
  /**
   * Writes version 1. False when its bytes are gone, because their upload was given up; then nothing is written.
   * @throws when the quota of skills is exceeded.
   */
  insert(first: NewSkillVersion, recorded?: Recorded): Promise<boolean>;
  /**
   * Writes the version behind `current`. False when another one came first, the skill was deleted, or the bytes are gone;
   * then nothing is written.
   */
  addVersion(current: Skill, next: NewSkillVersion, recorded?: Recorded): Promise<boolean>;
  /** Null when there is no such skill. */
  read(skillId: string): Promise<Skill | null>;
  /** Newest first. */
  list(request: ListRequest): Promise<Page<Skill>>;
  /** Newest first, without the lists of files. @param before Only versions below this one. */
  listVersions(
    skillId: string,
    request: { readonly before?: number; readonly limit: number },
  ): Promise<Page<SkillVersionSummary> | null>;
  /** Null when there is no such version. */
  readVersion(skillId: string, version: number): Promise<StoredSkillVersion | null>;
  /**
   * Deletes a skill with its versions. Their bytes are due to be deleted.
   * @returns the ids of the rows of `files`; null when there was no such skill.
   */
  remove(skillId: string, now: string, audit?: WriteAudit): Promise<readonly string[] | null>;
}

const SUMMARY = {
  skill_id: skillVersions.skill_id,
  version: skillVersions.version,
  name: skills.name,
  description: skillVersions.description,
  file_count: sql<number>`json_array_length(${skillVersions.files})`,
  bytes: skillVersions.bytes,
  created_at: skillVersions.created_at,
};

export function skillStorage(database: Database, tenantId: string): SkillStorage {
  const isOurs = eq(skills.tenant_id, tenantId);
  function isSkill(skillId: string) {
    return and(isOurs, eq(skills.id, skillId));
  }
  function isVersionOf(skillId: string) {
    return and(eq(skillVersions.tenant_id, tenantId), eq(skillVersions.skill_id, skillId));
  }
  const ofSkill = and(isOurs, eq(skills.id, skillVersions.skill_id));

  /** The bytes belong to a skill from here on. What follows in the batch asks whether they do. */
  function takeBytes({ file_id, etag }: NewSkillVersion, isWanted = sql`TRUE`) {
    return database
      .update(files)
      .set({ status: "skill", etag, due_at: null })
      .where(
        and(
          eq(files.id, file_id),
          eq(files.tenant_id, tenantId),
          eq(files.status, "uploading"),
          isWanted,
        ),
      );
  }
  function areTaken(fileId: string) {
    return sql`EXISTS (SELECT 1 FROM files WHERE id = ${fileId} AND tenant_id = ${tenantId} AND status = 'skill')`;
  }
  function insertVersion({ version: one, file_id, body_offset }: NewSkillVersion) {
    // In the order of the table's columns.
    return database.insert(skillVersions).select(
      sql`SELECT ${tenantId}, ${one.skill_id}, ${one.version}, ${one.description}, ${file_id},
        ${JSON.stringify(one.files)}, ${body_offset}, ${one.bytes}, ${one.created_at}
        WHERE ${areTaken(file_id)}`,
    );
  }

  return {
    async insert(first, { audit, keep } = {}) {
      const { skill_id, version, name, description, file_count, bytes, created_at } = first.version;
      // In the order of the table's columns.
      const inserted = database
        .insert(skills)
        .select(
          sql`SELECT ${skill_id}, ${tenantId}, ${name}, ${description}, ${version}, ${file_count}, ${bytes},
            ${created_at}, ${created_at} WHERE ${areTaken(first.file_id)}`,
        )
        .returning({ id: skills.id });
      const [, , rows] = await database.batch([
        takeBytes(first),
        insertVersion(first),
        inserted,
        ...recordStatements(database, audit, keep),
      ]);
      return rows.length > 0;
    },

    async addVersion(current, next, { audit, keep } = {}) {
      const { version, description, file_count, bytes, created_at } = next.version;
      const isCurrent = sql`EXISTS (SELECT 1 FROM skills
        WHERE id = ${current.id} AND tenant_id = ${tenantId} AND version = ${current.version})`;
      const updated = database
        .update(skills)
        .set({ version, description, file_count, bytes, updated_at: created_at })
        .where(
          and(isSkill(current.id), eq(skills.version, current.version), areTaken(next.file_id)),
        );
      const [taken] = await database.batch([
        takeBytes(next, isCurrent).returning({ id: files.id }),
        insertVersion(next),
        updated,
        ...recordStatements(database, audit, keep),
      ]);
      return taken.length > 0;
    },

    async read(skillId) {
      const [row] = await database.select().from(skills).where(isSkill(skillId));
      return row ? toSkill(row) : null;
    },

    async list({ before, limit }) {
      const rows = await database
        .select()
        .from(skills)
        .where(and(isOurs, before ? lt(skills.id, before) : undefined))
        .orderBy(desc(skills.id))
        .limit(limit + 1);
      return toPage(rows.map(toSkill), limit);
    },

    async listVersions(skillId, { before, limit }) {
      const rows = await database
        .select(SUMMARY)
        .from(skillVersions)
        .innerJoin(skills, ofSkill)
        .where(
          and(
            isVersionOf(skillId),
            before === undefined ? undefined : lt(skillVersions.version, before),
          ),
        )
        .orderBy(desc(skillVersions.version))
        .limit(limit + 1);
      if (rows.length === 0 && !(await this.read(skillId))) return null;
      return toPage(rows, limit, ({ version }) => String(version));
    },

    async readVersion(skillId, version) {
      const [row] = await database
        .select({
          summary: SUMMARY,
          files: skillVersions.files,
          file_id: skillVersions.file_id,
          body_offset: skillVersions.body_offset,
        })
        .from(skillVersions)
        .innerJoin(skills, ofSkill)
        .where(and(isVersionOf(skillId), eq(skillVersions.version, version)));
      if (!row) return null;
      const { summary, files: found, ...place } = row;
      return { version: { ...summary, files: [...found] }, ...place };
    },

    async remove(skillId, now, audit) {
      const ofVersions = sql`${files.id} IN (SELECT file_id FROM skill_versions
        WHERE tenant_id = ${tenantId} AND skill_id = ${skillId})`;
      const [released, , removed] = await database.batch([
        database
          .update(files)
          .set({ status: "deleting", due_at: now })
          .where(and(eq(files.tenant_id, tenantId), eq(files.status, "skill"), ofVersions))
          .returning({ id: files.id }),
        database.delete(skillVersions).where(isVersionOf(skillId)),
        database.delete(skills).where(isSkill(skillId)).returning({ id: skills.id }),
        ...recordStatements(database, audit),
      ]);
      return removed.length > 0 ? released.map(({ id }) => id) : null;
    },
  };
}

function toSkill({ tenant_id: _, ...skill }: typeof skills.$inferSelect): Skill {
  return skill;
}
