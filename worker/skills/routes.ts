import { PageQuerySchema } from "../../protocol/schemas/common.ts";
import {
  SkillContentQuerySchema,
  SkillWriteSchema,
  type Skill,
  type SkillVersion,
} from "../../protocol/skills/contract.ts";
import { eraseFiles } from "../../storage/files/erase-files.ts";
import { fileKey } from "../../storage/files/file-key.ts";
import { offsetOf } from "../../storage/skills/skill-reader.ts";
import type { StoredSkillVersion } from "../../storage/skills/skill-storage.ts";
import { decodeNumberToken } from "../../storage/statements/page.ts";
import { tenantStorage } from "../../storage/tenants/tenant-storage.ts";
import type { AppContext, RouteHandler } from "../app-env.ts";
import { auditFor } from "../audit/audit.ts";
import { serveContent } from "../files/serve-file.ts";
import { notFound } from "../http-error.ts";
import { inBackground } from "../in-background.ts";
import { pathId, pathNumber } from "../middleware/check-path.ts";
import { nowTimestamp } from "../new-id.ts";
import { tenantOf } from "../principal.ts";
import { answerStatement } from "../requests/keep-answer.ts";
import { readBody } from "../requests/read-body.ts";
import { badPageToken, readListQuery, readQuery } from "../requests/read-query.ts";
import { wantedVersions } from "../requests/wanted-versions.ts";
import { readFolder } from "./read-folder.ts";
import { storeSkill, storeVersion } from "./store-version.ts";

const createSkill: RouteHandler = async (context) => {
  const { files } = await readBody(context, SkillWriteSchema);
  const version = await storeSkill(context, readFolder(files), (first) => {
    const body = newSkill(first.version);
    return skillsOf(context).insert(first, {
      keep: answerStatement(context, { status: 201, location: `/v1/skills/${body.id}`, body }),
      audit: auditFor(context, { action: "skill.created", target: body.id, after: body }),
    });
  });
  const skill = newSkill(version);
  return context.json(skill, 201, { Location: `/v1/skills/${skill.id}`, ETag: etagOf(skill) });
};

const listSkills: RouteHandler = async (context) =>
  context.json(await skillsOf(context).list(readListQuery(context, "skl")));

const readSkill: RouteHandler = async (context) => {
  const skill = await findSkill(context);
  return context.json(skill, 200, { ETag: etagOf(skill) });
};

/** The rows go first, so that the skill is gone at once; the sweep does what this request does not finish. */
const deleteSkill: RouteHandler = async (context) => {
  const skill = await findSkill(context);
  const audit = auditFor(context, { action: "skill.deleted", target: skill.id, before: skill });
  const released = await skillsOf(context).remove(skill.id, nowTimestamp(), audit);
  if (!released) throw notFound("skill");
  const tenant_id = tenantOf(context);
  const due = released.map((id) => ({ id, tenant_id }));
  inBackground("deleting the files of a skill", eraseFiles(context.env, due));
  return context.body(null, 204);
};

const createSkillVersion: RouteHandler = async (context) => {
  const ifVersion = wantedVersions(context.req.header("If-Match"));
  const { files } = await readBody(context, SkillWriteSchema);
  const skillId = pathId(context, "skill_id");
  const version = await storeVersion(context, readFolder(files), {
    skillId,
    ifVersion,
    write: (current, next) =>
      skillsOf(context).addVersion(current, next, {
        keep: answerStatement(context, {
          status: 201,
          location: addressOf(next.version),
          body: next.version,
        }),
        audit: auditFor(context, {
          action: "skill.version_created",
          target: skillId,
          before: current,
          after: changedSkill(current, next.version),
        }),
      }),
  });
  const headers = { Location: addressOf(version), ETag: etagOf(version) };
  return context.json(version, 201, headers);
};

const listSkillVersions: RouteHandler = async (context) => {
  const { page, limit } = readQuery(context, PageQuerySchema);
  const before = page === undefined ? undefined : decodeNumberToken(page);
  if (before === null) throw badPageToken();
  const skillId = pathId(context, "skill_id");
  const versions = await skillsOf(context).listVersions(skillId, { before, limit });
  if (!versions) throw notFound("skill");
  return context.json(versions);
};

const readSkillVersion: RouteHandler = async (context) =>
  context.json((await findVersion(context)).version);

const readSkillContent: RouteHandler = async (context) => {
  const { path } = readQuery(context, SkillContentQuerySchema);
  const { version, file_id } = await findVersion(context);
  const file = version.files.find((one) => one.path === path);
  if (!file) throw notFound("file");
  const key = fileKey(tenantOf(context), file_id);
  const offset = offsetOf(version.files, file);
  return serveContent(context, {
    ...file,
    name: path.slice(path.lastIndexOf("/") + 1),
    // A version never changes.
    etag: `${version.skill_id}-${version.version}-${offset}`,
    open: (range) => {
      const { offset: from, length } = range ?? { offset: 0, length: file.bytes };
      return context.env.FILES.get(key, { range: { offset: offset + from, length } });
    },
  });
};

async function findSkill(context: AppContext): Promise<Skill> {
  const skill = await skillsOf(context).read(pathId(context, "skill_id"));
  if (!skill) throw notFound("skill");
  return skill;
}

async function findVersion(context: AppContext): Promise<StoredSkillVersion> {
  const skillId = pathId(context, "skill_id");
  const found = await skillsOf(context).readVersion(skillId, pathNumber(context, "version"));
  if (!found) throw notFound("version");
  return found;
}

function skillsOf(context: AppContext) {
  return tenantStorage(context.env.DB, tenantOf(context)).skills;
}

/** The skill right behind its first version. */
function newSkill({ skill_id, name, created_at, ...first }: SkillVersion): Skill {
  const { description, version, file_count, bytes } = first;
  const newest = { description, version, file_count, bytes };
  return { id: skill_id, name, ...newest, created_at, updated_at: created_at };
}

function changedSkill(current: Skill, next: SkillVersion): Skill {
  const { description, version, file_count, bytes, created_at: updated_at } = next;
  return { ...current, description, version, file_count, bytes, updated_at };
}

function addressOf({ skill_id, version }: SkillVersion): string {
  return `/v1/skills/${skill_id}/versions/${version}`;
}

function etagOf({ version }: Pick<Skill, "version">): string {
  return `"${version}"`;
}

export const skillRoutes = {
  createSkill,
  listSkills,
  readSkill,
  deleteSkill,
  createSkillVersion,
  listSkillVersions,
  readSkillVersion,
  readSkillContent,
};
