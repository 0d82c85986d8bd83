// Routes on skills and their versions.
import {
  SkillPageSchema,
  SkillVersionPageSchema,
  SkillContentQuerySchema,
  SkillSchema,
  SkillVersionSchema,
  SkillWriteSchema,
} from "./contract.ts";
import { PageQuerySchema } from "../schemas/common.ts";
import type { Contract, DocumentedRoute } from "../requests/contract.ts";
import { SKILL_WORDS } from "./words.ts";

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

const SKILL_ROUTES = [
  {
    name: "createSkill",
    method: "POST",
    path: "/v1/skills",
    access: "agents:write",
    keeps_keys: "database",
    body: "media",
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

  {
    name: "listSkills",
    method: "GET",
    path: "/v1/skills",
    access: "agents:read",
    body: "none",
    tag: "Skills",
    summary: "List skills",
    description: "Newest first, each as its newest version has it.",
    query: PageQuerySchema,
    answers: { 200: { description: "A page of skills.", json: SkillPageSchema } },
  },

  {
    name: "readSkill",
    method: "GET",
    path: "/v1/skills/{skill_id}",
    access: "agents:read",
    body: "none",
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

  {
    name: "deleteSkill",
    method: "DELETE",
    path: "/v1/skills/{skill_id}",
    access: "agents:write",
    body: "none",
    tag: "Skills",
    summary: "Delete a skill",
    description:
      "With all of its versions, at once. Agents that name it go on without it: their models are told that it is not there any more.",
    answers: { 204: { description: "The skill is deleted." } },
  },

  {
    name: "createSkillVersion",
    method: "POST",
    path: "/v1/skills/{skill_id}/versions",
    access: "agents:write",
    keeps_keys: "database",
    body: "media",
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

  {
    name: "listSkillVersions",
    method: "GET",
    path: "/v1/skills/{skill_id}/versions",
    access: "agents:read",
    body: "none",
    tag: "Skills",
    summary: "List a skill's versions",
    description: "Newest first, without their lists of files.",
    query: PageQuerySchema,
    answers: { 200: { description: "A page of versions.", json: SkillVersionPageSchema } },
  },

  {
    name: "readSkillVersion",
    method: "GET",
    path: "/v1/skills/{skill_id}/versions/{version}",
    access: "agents:read",
    body: "none",
    tag: "Skills",
    summary: "Get a version of a skill",
    description: "With the list of its files. A version never changes.",
    answers: { 200: { description: "The version.", json: SkillVersionSchema } },
  },

  {
    name: "readSkillContent",
    method: "GET",
    path: "/v1/skills/{skill_id}/versions/{version}/content",
    access: "agents:read",
    body: "none",
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
] as const satisfies readonly DocumentedRoute[];

export const SKILL_CONTRACT = {
  tags: {
    Skills: "Folders of instructions and files, which agents name and their models read.",
  },
  routes: SKILL_ROUTES,
  pathParameters: {
    skill_id: { form: "skl", description: "The skill." },
  },
  queryParameters: {
    path: "The file's path in the skill's folder, such as `references/forms.md`.",
  },
  fields: SKILL_WORDS,
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
} as const satisfies Contract;
