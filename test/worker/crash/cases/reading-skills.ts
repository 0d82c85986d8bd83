// A reply that reads a skill: it is read once to the end, in one version.
import { expect } from "vitest";

import type { Agent } from "../../../../protocol/agents/contract.ts";
import type { Page } from "../../../../protocol/schemas/common.ts";
import type { Skill } from "../../../../protocol/skills/contract.ts";
import { hearLog, JOB_FAILED } from "../../../support/hear-log.ts";
import { ask } from "../../support/api.ts";
import { skillFolder } from "../../support/skill-folder.ts";
import { SKILL } from "../feature-scenarios.ts";
import type { CrashCase } from "../survive.ts";

let log: readonly unknown[] = [];

export const SKILL_CASES: readonly CrashCase[] = [
  {
    scenario: SKILL,
    claim: "it is read once to the end, in one version, whichever write %s cuts off",
    async prepare({ call }) {
      log = hearLog([JOB_FAILED]);
      const json = skillFolder("pdf-forms", { body: "Fill it in." });
      const { json: skill } = await ask<Skill>("POST", "/v1/skills", { ...call, json });
      const { json: agents } = await ask<Page<Agent>>("GET", "/v1/agents", call);
      const changed = { json: { skills: [skill.id] } };
      await ask("PATCH", `/v1/agents/${agents.data[0]?.id}`, { ...call, ...changed });
    },
    async verify({ session }) {
      const { message } = await session.readReply();
      const results = message?.content.filter((block) => block.type === "tool_result") ?? [];
      expect(results.map(({ state }) => state)).toEqual(["success"]);
      expect(JSON.stringify(results[0]?.output)).toContain("Fill it in.");
    },
    verifyAll() {
      expect(new Set(log)).toEqual(new Set(["the versions of skills could not be stored"]));
    },
  },
];
