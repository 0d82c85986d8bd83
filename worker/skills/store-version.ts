// Stores a version of a skill: the row of its bytes, the bytes, and in one batch the version itself. A crash in between
// leaves a row that says `uploading`, by which the sweep deletes both.
import type { Skill, SkillVersion } from "../../protocol/skills/contract.ts";
import { MAX_SKILL_VERSIONS, SKILL_WRITE_TRIES } from "../../protocol/skills/limits.ts";
import { UNAVAILABLE_RETRY_SECONDS } from "../../protocol/requests/limits.ts";
import { putInSlices } from "../../runtime/put-in-slices.ts";
import { eraseFiles } from "../../storage/files/erase-files.ts";
import { fileKey } from "../../storage/files/file-key.ts";
import type { NewSkillVersion } from "../../storage/skills/skill-storage.ts";
import { tenantStorage } from "../../storage/tenants/tenant-storage.ts";
import type { AppContext } from "../app-env.ts";
import { inBucket } from "../files/bucket.ts";
import { HttpError, fieldError, notFound } from "../http-error.ts";
import { newId, nowTimestamp } from "../new-id.ts";
import { tenantOf } from "../principal.ts";
import type { ReadFolder } from "./read-folder.ts";

/** Bytes in R2 whose row says `uploading`. */
interface StoredPack {
  readonly file_id: string;
  readonly etag: string;
}

/**
 * Writes a skill with its version 1.
 * @param write The last write, of all rows; false when the bytes are gone.
 */
export function storeSkill(
  context: AppContext,
  folder: ReadFolder,
  write: (first: NewSkillVersion) => Promise<boolean>,
): Promise<SkillVersion> {
  return withPack(context, folder, async (pack) => {
    const first = versionOf(folder, { id: newId("skl"), version: 0 }, pack);
    if (!(await write(first))) throw uploadLost();
    return first.version;
  });
}

interface NewVersion {
  readonly skillId: string;
  /** Numbers of which the newest version has to have one; any when left out. */
  readonly ifVersion: readonly number[] | undefined;
  /** The last write, of all rows; false when another version came first. */
  readonly write: (current: Skill, next: NewSkillVersion) => Promise<boolean>;
}

/**
 * Writes the next version of a skill. Versions that are written at the same time get one number each.
 * @throws HttpError 404, 409 for too many versions, 412 for another version than `ifVersion`, 400 for another name.
 */
export async function storeVersion(
  context: AppContext,
  folder: ReadFolder,
  { skillId, ifVersion, write }: NewVersion,
): Promise<SkillVersion> {
  const { skills } = tenantStorage(context.env.DB, tenantOf(context));
  async function readCurrent(): Promise<Skill> {
    const current = await skills.read(skillId);
    if (!current) throw notFound("skill");
    checkNext(current, folder, ifVersion);
    return current;
  }
  const first = await readCurrent();
  return withPack(context, folder, async (pack) => {
    let current = first;
    for (let left = SKILL_WRITE_TRIES; left > 0; left -= 1) {
      const next = versionOf(folder, current, pack);
      if (await write(current, next)) return next.version;
      current = await readCurrent();
    }
    throw new HttpError("conflict", "other versions of the skill came first; try again");
  });
}

function checkNext(
  { name, version }: Skill,
  folder: ReadFolder,
  ifVersion: readonly number[] | undefined,
): void {
  if (ifVersion && !ifVersion.includes(version)) {
    throw new HttpError("version_mismatch", `the newest version of the skill is ${version}`, {
      extensions: { version },
    });
  }
  if (folder.name !== name) {
    const detail = `the skill is called ${name}, in all of its versions; make another skill for ${folder.name}`;
    throw fieldError("validation_failed", "#/files", detail);
  }
  if (version >= MAX_SKILL_VERSIONS) {
    const detail = `a skill has ${MAX_SKILL_VERSIONS} versions at most; make another skill`;
    throw new HttpError("conflict", detail);
  }
}

/** Takes the bytes back when they do not become a version, so that a refused skill counts nothing. */
async function withPack<Value>(
  context: AppContext,
  { pack }: ReadFolder,
  use: (stored: StoredPack) => Promise<Value>,
): Promise<Value> {
  const tenantId = tenantOf(context);
  const { DB, FILES } = context.env;
  const { files } = tenantStorage(DB, tenantId);
  const media_type = "application/octet-stream";
  const file_id = newId("fil");
  const row = { id: file_id, session_id: null, name: null, media_type, bytes: pack.length };
  if ((await files.begin({ ...row, created_at: nowTimestamp() })) === null) throw uploadLost();
  const key = fileKey(tenantId, file_id);
  try {
    const { etag } = await inBucket(() =>
      putInSlices(pack, (value) =>
        FILES.put(key, value, { httpMetadata: { contentType: media_type } }),
      ),
    );
    return await use({ file_id, etag });
  } catch (error) {
    await takeBack(context, file_id).catch((failure: unknown) =>
      console.warn("skills: an upload was not given up; the sweep will", {
        error: String(failure),
      }),
    );
    throw error;
  }
}

/** Deletes stored bytes, unless they have become a version though nobody heard of it. */
async function takeBack(context: AppContext, fileId: string): Promise<void> {
  const tenant_id = tenantOf(context);
  const { files } = tenantStorage(context.env.DB, tenant_id);
  const isGivenUp = await files.abandon(fileId, nowTimestamp());
  if (isGivenUp) await eraseFiles(context.env, [{ id: fileId, tenant_id }]);
}

function versionOf(
  { name, description, files, pack, body_offset }: ReadFolder,
  current: Pick<Skill, "id" | "version">,
  stored: StoredPack,
): NewSkillVersion {
  const version: SkillVersion = {
    skill_id: current.id,
    version: current.version + 1,
    name,
    description,
    file_count: files.length,
    bytes: pack.length,
    created_at: nowTimestamp(),
    files: [...files],
  };
  return { version, body_offset, ...stored };
}

/** The tenant was closed meanwhile, or the upload took so long that it was given up. */
function uploadLost(): HttpError {
  return new HttpError(
    "unavailable",
    "the files were given up before they were stored; try again",
    {
      headers: { "Retry-After": String(UNAVAILABLE_RETRY_SECONDS) },
    },
  );
}
