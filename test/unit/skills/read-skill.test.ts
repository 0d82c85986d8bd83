// The tool that reads skills, over a folder in memory.
import { describe, expect, test } from "vitest";

import type { SkillFile } from "../../../protocol/skills/contract.ts";
import type { SkillLibrary } from "../../../agent/skill-library.ts";
import { skillsAbility } from "../../../agent/skills/skills-ability.ts";
import { readSkill, type ReadSkillInput } from "../../../agent/skills/read-skill-tool.ts";
import { withSkills } from "../../../agent/skills/skills-prompt.ts";
import { startReplyState } from "../../../agent/state/reply-state.ts";
import { SKILL_LIST_CHARACTERS } from "../../../protocol/skills/limits.ts";
import {
  keepPinnedSkills,
  skillReferences,
  type PinnedSkills,
} from "../../../protocol/skills/skill.ts";

const SKILL = { id: "skl_1", version: 2, name: "pdf", description: "Does\n  PDF." };
const TEXT = "one\ntwo ü\r\nthree";

function library(files: readonly Partial<SkillFile>[] = []): SkillLibrary {
  const all = [
    { path: "SKILL.md", bytes: 17, media_type: "text/markdown", is_text: true },
    ...files,
  ];
  const bytes = new TextEncoder().encode(TEXT);
  return {
    open: async () => ({
      files: all as readonly SkillFile[],
      body_offset: 4,
      read: async (_, offset, length) => {
        const part = bytes.subarray(offset, offset + length);
        return { text: new TextDecoder().decode(part), offset, end: offset + part.length };
      },
    }),
  };
}

function read(input: Partial<ReadSkillInput>, from: SkillLibrary = library(), room = 100) {
  const stop = new AbortController().signal;
  return readSkill({ skill: "pdf", ...input }, { skills: [SKILL], library: from, room }, stop);
}

describe("read_skill", () => {
  test.each([
    [{}, "pdf/SKILL.md, bytes 4 to 17 of 17:\n\ntwo ü\r\nthree"],
    [{ path: "SKILL.md" }, `pdf/SKILL.md, bytes 0 to 17 of 17:\n\n${TEXT}`],
    [{ offset: 4, length: 3 }, "pdf/SKILL.md, bytes 4 to 7 of 17; it goes on at offset 7:\n\ntwo"],
    [
      { line: 2, lines: 1 },
      "pdf/SKILL.md, bytes 4 to 12 of 17; it goes on at offset 12:\n\ntwo ü\r\n",
    ],
    [{ lines: 1 }, "pdf/SKILL.md, bytes 0 to 4 of 17; it goes on at offset 4:\n\none\n"],
    [{ line: 3 }, "pdf/SKILL.md, bytes 12 to 17 of 17:\n\nthree"],
    [{ line: 4 }, "pdf/SKILL.md, bytes 17 to 17 of 17:\n\n"],
  ])("with %j shows that part and where it goes on", async (input, text) => {
    // Of the file's 17 bytes two are the ü.
    expect(await read(input)).toEqual({ text });
  });

  test("shows whole characters alone, however little room there is", async () => {
    expect(await read({ line: 2 }, library(), 5)).toEqual({
      text: "pdf/SKILL.md, bytes 4 to 8 of 17; it goes on at offset 8:\n\ntwo ",
    });
  });

  test.each([
    ["gone", "The skill pdf was deleted. Go on without it."],
    [
      "unavailable",
      "The skill pdf cannot be read at the moment. Try again later, or go on without it.",
    ],
  ] as const)("of one that is %s says so", async (failure, text) => {
    const closed: SkillLibrary = { open: () => Promise.resolve(failure) };
    const broken: SkillLibrary = {
      open: async () => ({
        files: [{ path: "SKILL.md", bytes: 1, media_type: "text/markdown", is_text: true }],
        body_offset: 0,
        read: () => Promise.resolve(failure),
      }),
    };

    expect(await read({}, closed)).toEqual({ text, isError: true });
    expect(await read({}, broken)).toEqual({ text, isError: true });
    expect(await read({ line: 1 }, broken)).toEqual({ text, isError: true });
  });

  test("lists so many files as fit, and the rest by folder", async () => {
    const files = Array.from({ length: 199 }, (_, index) => ({
      path: `${index < 100 ? "a" : "b"}/${"x".repeat(180)}${index}`,
      bytes: 1,
      media_type: "text/plain",
      is_text: true,
    }));

    const { text } = await read({}, library(files));
    const folder = await read({ path: "b/" }, library(files.slice(90, 105)));

    expect(text.length).toBeLessThan(SKILL_LIST_CHARACTERS + 300);
    expect(text).toMatch(/and 1\d\d more: give a folder such as references\/ as the path/);
    expect(folder.text.match(/^- b\//gm)).toHaveLength(5);
  });
});

describe("the skills of a reply", () => {
  const pinned: PinnedSkills = { found: [SKILL], lost: [] };

  test("are a list behind the system prompt, each in one line", () => {
    expect(withSkills("You help.", pinned)).toMatch(
      /^You help\.\n\n# Skills\n[^]*\n- pdf: Does PDF\.$/,
    );
    expect(withSkills("", pinned)).toMatch(/^# Skills\n/);
    expect(withSkills("You help.", { found: [], lost: [] })).toBe("You help.");
  });

  test("without any there are neither tools nor hints", () => {
    expect(skillsAbility({ hasSkills: false, pinned, library: library() })).toEqual({
      name: "skills",
    });
  });

  test.each([
    [[], null],
    [
      [{ id: "skl_1", name: "pdf", reason: "deleted" }],
      "This skill of yours is not available any more: pdf (skl_1). Go on without; do not ask read_skill for it.",
    ],
    [
      [
        { id: "skl_1", name: "pdf", reason: "deleted" },
        { id: "skl_2", name: null, reason: "unknown" },
      ],
      "These skills of yours are not available at the moment: pdf (skl_1), skl_2. Go on without; do not ask read_skill for it.",
    ],
  ] as const)("of %j the lost ones are a hint", (lost, text) => {
    const start = {
      type: "REPLY_START",
      id: "",
      session_id: "s",
      reply_id: "r",
      name: "a",
    } as const;
    const reply = startReplyState({ ...start, role: "assistant", created_at: "", metadata: {} });

    const ability = skillsAbility({
      hasSkills: true,
      pinned: { found: [], lost },
      library: library(),
    });

    expect(ability.hint?.text(reply)).toBe(text);
  });
});

describe("pins that cannot be read anew", () => {
  const other = { id: "skl_2", version: 1, name: "other", description: "" };
  const lost = { id: "skl_3", name: "gone", reason: "deleted" } as const;
  const before: PinnedSkills = { found: [SKILL, other], lost: [lost] };

  test.each([
    [["skl_2", "skl_1"], { found: [other, SKILL], lost: [] }],
    [[{ id: "skl_1", version: 2 }], { found: [SKILL], lost: [] }],
    [
      [{ id: "skl_1", version: 1 }],
      { found: [], lost: [{ id: "skl_1", name: "pdf", reason: "unknown" }] },
    ],
    [["skl_3"], { found: [], lost: [lost] }],
    [["skl_4"], { found: [], lost: [{ id: "skl_4", name: null, reason: "unknown" }] }],
    [[], { found: [], lost: [] }],
  ])("keep of %j what the agent still names", (skills, kept) => {
    expect(keepPinnedSkills(skillReferences(skills), before)).toEqual(kept);
  });
});
