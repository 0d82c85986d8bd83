// Skills: folders with a SKILL.md, and their versions.
import {
  SkillPageSchema,
  SkillVersionPageSchema,
  SkillContentQuerySchema,
  SkillSchema,
  SkillVersionSchema,
  SkillWriteSchema,
} from "../../../protocol/skills/contract.ts";
import { PageQuerySchema } from "../../../protocol/schemas/common.ts";
import type { Resource } from "../../resource.ts";

const SKILL_ID = "skl_01kaj2vf3h8m2p6r0t4w7y1a5c";
const SKILL_TEXT = [
  "---",
  "name: refund-policy",
  "description: Decides refunds. Use it before you promise one.",
  "---",
  "",
  "Orders of the last 30 days are refunded. For the rest see references/exceptions.md.",
  "",
].join("\n");
const skill = {
  id: SKILL_ID,
  name: "refund-policy",
  description: "Decides refunds. Use it before you promise one.",
  version: 1,
  file_count: 2,
  bytes: 219,
  created_at: "2026-11-21T09:30:00.000Z",
  updated_at: "2026-11-21T09:30:00.000Z",
};

export const SKILLS = {
  tags: {
    Skills: "Folders of instructions and files, which agents name and their models read.",
  },
  operations: {
    createSkill: {
      tag: "Skills",
      summary: "Create a skill",
      description:
        "All files of its folder, with a SKILL.md at the top whose front matter has `name` and `description`. The skill gets version 1.",
      request: { json: SkillWriteSchema, examples: ["newSkill"] },
      answers: {
        201: {
          description: "The skill.",
          json: SkillSchema,
          headers: ["Location", "ETag"],
          examples: ["skill"],
        },
      },
      errors: ["quota_exceeded"],
    },
    listSkills: {
      tag: "Skills",
      summary: "List skills",
      description: "Newest first, each as its newest version has it.",
      query: PageQuerySchema,
      answers: { 200: { description: "A page of skills.", json: SkillPageSchema } },
    },
    readSkill: {
      tag: "Skills",
      summary: "Get a skill",
      description: "As its newest version has it, whose number is also the `ETag`.",
      answers: {
        200: {
          description: "The skill.",
          json: SkillSchema,
          headers: ["ETag"],
          examples: ["skill"],
        },
      },
    },
    deleteSkill: {
      tag: "Skills",
      summary: "Delete a skill",
      description:
        "With all of its versions, at once. Agents that name it go on without it: their models are told that it is not there any more.",
      answers: { 204: { description: "The skill is deleted." } },
    },
    createSkillVersion: {
      tag: "Skills",
      summary: "Create a version of a skill",
      description:
        "All files of its folder, also those that did not change. The name stays. Replies that begin afterwards use it, unless their agent names a version; a reply that has begun keeps its own. With `If-Match` it is made only behind that version.",
      headers: ["If-Match"],
      request: { json: SkillWriteSchema, examples: ["newSkill"] },
      answers: {
        201: {
          description: "The version.",
          json: SkillVersionSchema,
          headers: ["Location", "ETag"],
        },
      },
      errors: ["version_mismatch", "conflict", "quota_exceeded"],
    },
    listSkillVersions: {
      tag: "Skills",
      summary: "List a skill's versions",
      description: "Newest first, without their lists of files.",
      query: PageQuerySchema,
      answers: { 200: { description: "A page of versions.", json: SkillVersionPageSchema } },
    },
    readSkillVersion: {
      tag: "Skills",
      summary: "Get a version of a skill",
      description: "With the list of its files. A version never changes.",
      answers: { 200: { description: "The version.", json: SkillVersionSchema } },
    },
    readSkillContent: {
      tag: "Skills",
      summary: "Get the bytes of a skill's file",
      description:
        "Whole, or the range that a `Range` header asks for. What a browser could run is sent as a download.",
      query: SkillContentQuerySchema,
      headers: ["Range", "If-Range", "If-None-Match"],
      answers: {
        200: { description: "The bytes.", other: "*/*", headers: ["ETag"] },
        206: { description: "The bytes of the range.", other: "*/*", headers: ["ETag"] },
        304: { description: "The caller has them.", headers: ["ETag"] },
      },
      errors: ["range_invalid"],
    },
  },
  pathParameters: {
    skill_id: "The skill.",
  },
  queryParameters: {
    path: "The file's path in the skill's folder, such as `references/forms.md`.",
  },

  fieldDescriptions: {
    "Skill.name": "From the front matter of SKILL.md; the same in all versions.",
    "Skill.description":
      "From the front matter of SKILL.md: what the skill is for, and when to use it.",
    "Skill.version": "The number of the newest version, or of this one; the first is 1.",
    "Skill.file_count": "The number of its files.",
    "Skill.bytes": "The size of all files together.",
    "Skill.updated_at": "When the newest version was made.",
    "Skill.skill_id": "The skill.",
    "Skill.files": "SKILL.md first, then by path.",
    "SkillVersion.skill_id": "The skill.",
    "SkillVersion.version": "The number of the version; the first is 1.",
    "SkillVersion.description": "From the front matter of its SKILL.md.",
    "SkillVersion.file_count": "The number of its files.",
    "SkillVersion.bytes": "The size of all files together.",
    "SkillWrite.files": "With a SKILL.md among them; 200 at most, of 5,000,000 bytes together.",
    "SkillFile.path": "Its place below the skill's folder, with `/` between names.",
    "SkillFile.text": "Its content as text; stored as UTF-8.",
    "SkillFile.base64": "Its content as base64.",
    "SkillFile.bytes": "Its size.",
    "SkillFile.media_type": "Recognised by its bytes; of text by the end of its path.",
    "SkillFile.is_text": "Whether it is UTF-8, which is what a model can read.",
  },
  examples: {
    newSkill: {
      summary: "A policy of the shop",
      value: {
        files: [
          { path: "SKILL.md", text: SKILL_TEXT },
          { path: "references/exceptions.md", text: "Gift cards are never refunded.\n" },
        ],
      },
    },
    skill: { summary: "A policy of the shop", value: skill },
  },
} as const satisfies Resource;
