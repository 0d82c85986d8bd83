// Skills and their versions.
import { env } from "cloudflare:workers";

import type { Skill } from "../../../protocol/skills/contract.ts";
import { MAX_SKILL_VERSIONS } from "../../../protocol/skills/limits.ts";
import { ask, makeTenant } from "../../worker/support/api.ts";
import { countListed } from "../../worker/support/count-listed.ts";
import type { DocumentedApi } from "../../worker/support/documented-api.ts";
import type { KeyedRequests } from "../../worker/support/keyed-request.ts";
import { skillFolder } from "../../worker/support/skill-folder.ts";
import { changeTenant } from "../../worker/support/tenant-use.ts";
import { NEWEST, pageToken } from "../places.ts";
import type { ConceptRows } from "../row.ts";

/** Its name is the word, as a version needs the name of its skill. */
function folder(word: string): object {
  const text = `---\nname: ${word}\ndescription: New skill ${word}\n---\n${word}`;
  return { files: [{ path: "SKILL.md", text }] };
}

export const ROWS = {
  createSkill: {
    answers: 201,
    body: ({ word }) => folder(word),
    shows: [],
    stores: ["+audit_entries", "+bucket", "+files", "+skill_versions", "+skills"],
    refusedBy: ["skills", "stored_bytes", "database_bytes"],
  },
  listSkills: { answers: 200, places: [pageToken(`skl_${NEWEST}`)], shows: ["skill"] },
  readSkill: { answers: 200, shows: ["skill"] },
  deleteSkill: {
    answers: 204,
    isSilent: true,
    shows: [],
    stores: ["+audit_entries", "-bucket", "-files", "-skill_versions", "-skills"],
  },
  createSkillVersion: {
    answers: 201,
    body: ({ word }) => folder(word),
    shows: [],
    stores: ["+audit_entries", "+bucket", "+files", "+skill_versions", "~skills"],
    refusedBy: ["stored_bytes", "database_bytes"],
  },
  listSkillVersions: { answers: 200, shows: ["skill"] },
  readSkillVersion: { answers: 200, shows: ["skill"] },
  readSkillContent: { answers: 200, query: () => "path=SKILL.md", shows: ["skill"] },
} satisfies ConceptRows;

async function keyedSkill() {
  const { call } = await makeTenant();
  return {
    path: "/v1/skills",
    call,
    json: skillFolder("pdf-forms"),
    other: skillFolder("other"),
    count: () => countListed("/v1/skills", call),
  };
}

async function keyedSkillVersion() {
  const { call } = await makeTenant();
  const made = { ...call, json: skillFolder() };
  const { json: skill } = await ask<Skill>("POST", "/v1/skills", made);
  const path = `/v1/skills/${skill.id}/versions`;
  return {
    path,
    call,
    json: skillFolder("pdf-forms", { body: "Second." }),
    other: skillFolder("pdf-forms", { body: "Third." }),
    // Beside the first one.
    count: async () => (await countListed(path, call)) - 1,
  };
}

export const KEYED = {
  createSkill: keyedSkill,

  createSkillVersion: keyedSkillVersion,
} satisfies KeyedRequests;

export async function askAll(api: DocumentedApi): Promise<void> {
  const { id, call } = await makeTenant();
  const folder = { ...call, json: skillFolder() };
  const { json: skill } = await api.ask<Skill>("createSkill", {}, folder);
  const place = { skill_id: skill.id, version: "1" };
  await api.ask("listSkills", {}, call);
  await api.ask("readSkill", place, call);
  await api.ask("createSkillVersion", place, folder);
  await api.ask("createSkillVersion", place, { ...folder, headers: { "If-Match": '"1"' } });
  await api.ask("listSkillVersions", place, call);
  await api.ask("readSkillVersion", place, call);
  const content = { ...place, query: "?path=SKILL.md" };
  const whole = await api.ask("readSkillContent", content, call);
  const wishes: readonly Record<string, string>[] = [
    { Range: "bytes=0-1" },
    { Range: "bytes=9000-" },
    { "If-None-Match": whole.headers.get("ETag") ?? "" },
  ];
  for (const headers of wishes) await api.ask("readSkillContent", content, { ...call, headers });
  await api.ask("readSkillContent", { ...place, query: "?path=none" }, call);
  await changeTenant(id, { quotas: { skills: 1, stored_bytes: 1 } });
  await api.ask("createSkill", {}, folder);
  await api.ask("createSkillVersion", place, folder);
  await env.DB.prepare("UPDATE skills SET version = ? WHERE id = ?")
    .bind(MAX_SKILL_VERSIONS, skill.id)
    .run();
  await api.ask("createSkillVersion", place, folder);
  await api.ask("deleteSkill", place, call);
}
