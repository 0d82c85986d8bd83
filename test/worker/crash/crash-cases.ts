// Every scenario that the crash tests walk, with what must hold of its runs.
import { ABILITY_CASES } from "./cases/ability.ts";
import { BACKGROUND_CASES } from "./cases/background.ts";
import { CHANGED_BLOCKS_CASES } from "./cases/changed-blocks.ts";
import { CODE_CASES } from "./cases/agents-in-code.ts";
import { DENIAL_CASES } from "./cases/denial.ts";
import { ENDING_CASES } from "./cases/endings.ts";
import { HOOK_CASES } from "./cases/hooks.ts";
import { MEMORY_CASES } from "./cases/memory.ts";
import { PLAN_CASES } from "./cases/plan.ts";
import { PRINTING_CASES } from "./cases/printing-hooks.ts";
import { SKILL_CASES } from "./cases/reading-skills.ts";
import { TOOL_GROUP_CASES } from "./cases/tool-groups.ts";
import { UNTRUSTED_CASES } from "./cases/untrusted-content.ts";
import { SCENARIOS } from "./scenarios.ts";
import type { CrashCase } from "./survive.ts";

/** Replies as every session has them: the matrix of docs/testing.md. */
export const MATRIX_CASES: readonly CrashCase[] = SCENARIOS.map((scenario) => ({
  scenario,
  claim: "survives %s at its writes",
}));

export const FEATURE_CASES: readonly CrashCase[] = [
  ...ABILITY_CASES,
  ...BACKGROUND_CASES,
  ...CHANGED_BLOCKS_CASES,
  ...CODE_CASES,
  ...DENIAL_CASES,
  ...ENDING_CASES,
  ...HOOK_CASES,
  ...MEMORY_CASES,
  ...PLAN_CASES,
  ...PRINTING_CASES,
  ...SKILL_CASES,
  ...TOOL_GROUP_CASES,
  ...UNTRUSTED_CASES,
];
