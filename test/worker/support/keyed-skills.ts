// Requests with an Idempotency-Key that write skills.
import type { Page } from "../../../protocol/schemas/common.ts";
import type { Skill } from "../../../protocol/skills/contract.ts";
import { ask, makeTenant, type Call } from "./api.ts";
import { skillFolder } from "./skill-folder.ts";

export async function keyedSkill() {
  const { call } = await makeTenant();
  return {
    path: "/v1/skills",
    call,
    json: skillFolder("pdf-forms"),
    other: skillFolder("other"),
    count: () => countOf("/v1/skills", call),
  };
}

export async function keyedSkillVersion() {
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
    count: async () => (await countOf(path, call)) - 1,
  };
}

async function countOf(path: string, call: Call): Promise<number> {
  return (await ask<Page<object>>("GET", path, call)).json.data.length;
}
