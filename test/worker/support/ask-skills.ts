// Asks every route of skills for what the document promises of it.
import { env } from "cloudflare:workers";

import type { Skill } from "../../../protocol/skills/contract.ts";
import { MAX_SKILL_VERSIONS } from "../../../protocol/skills/limits.ts";
import { makeTenant } from "./api.ts";
import type { DocumentedApi } from "./documented-api.ts";
import { skillFolder } from "./skill-folder.ts";
import { changeTenant } from "./tenant-use.ts";

/** Everything that these routes promise, but for what a failing platform alone can show. */
export async function askSkills(api: DocumentedApi): Promise<void> {
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
