// Reads files of skills for a session: D1 knows where the bytes of a version are, R2 has them.
import type { SkillFile } from "../../protocol/skills/contract.ts";
import type { PinnedSkill } from "../../protocol/skills/skill.ts";
import { fileKey } from "../files/file-key.ts";
import { openDatabase } from "../statements/database.ts";
import { skillStorage } from "./skill-storage.ts";

/** A version's folder, whose bytes are read on demand. */
export interface OpenedSkill {
  readonly files: readonly SkillFile[];
  /** Bytes before the instructions in SKILL.md. */
  readonly body_offset: number;
  /** Bytes of one of `files`; null when the object is gone. @throws when R2 fails. */
  read(file: SkillFile, offset: number, length: number): Promise<Uint8Array | null>;
}

interface SkillBindings {
  readonly DB: D1Database;
  readonly FILES: Pick<R2Bucket, "get">;
}

/** Null when the skill was deleted. @throws when D1 fails. */
export async function openSkill(
  { DB, FILES }: SkillBindings,
  tenantId: string,
  { id, version }: Pick<PinnedSkill, "id" | "version">,
): Promise<OpenedSkill | null> {
  const found = await skillStorage(openDatabase(DB), tenantId).readVersion(id, version);
  if (!found) return null;
  const { files } = found.version;
  return {
    files,
    body_offset: found.body_offset,
    async read(file, offset, length) {
      if (length === 0) return new Uint8Array(0);
      const range = { offset: offsetOf(files, file) + offset, length };
      const object = await FILES.get(fileKey(tenantId, found.file_id), { range });
      return object && new Uint8Array(await object.arrayBuffer());
    },
  };
}

/** The offset of a file in the object of its version. */
export function offsetOf(files: readonly SkillFile[], { path }: Pick<SkillFile, "path">): number {
  const index = files.findIndex((file) => file.path === path);
  return files.slice(0, index).reduce((sum, { bytes }) => sum + bytes, 0);
}
