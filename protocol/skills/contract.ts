// Skills: folders with a SKILL.md, which agents name and their models read. A version is written once and never changed.
import * as z from "zod";

import { MAX_AGENT_SKILLS, MAX_SKILL_PATH_CHARACTERS } from "./limits.ts";
import { isId } from "../ids.ts";
import { READ_SKILL_TOOL, skillReferences } from "./skill.ts";
import { TimestampSchema, pageOf } from "../schemas/common.ts";
import { SkillFilesSchema } from "./skill-files.ts";

const SkillIdSchema = z
  .string()
  .refine((id): boolean => isId("skl", id), { message: "is no id of a skill, such as skl_…" });

/** An agent's `skills`: an id for the newest version, or an id with a version for that one. */
export const AgentSkillsSchema = z
  .array(
    z.union([
      SkillIdSchema,
      z.strictObject({
        id: SkillIdSchema,
        /** The newest one when left out. */
        version: z.number().int().min(1).max(999_999_999).optional(),
      }),
    ]),
  )
  .max(MAX_AGENT_SKILLS)
  .refine((skills) => new Set(skillReferences(skills).map(({ id }) => id)).size === skills.length, {
    message: "a skill is named twice",
  });
export type AgentSkills = z.infer<typeof AgentSkillsSchema>;

/** JSON pointer and text for each tool of an agent that has the name of the tool which reads its skills. */
export function skillToolProblems({
  tools,
  skills = [],
}: {
  readonly tools: readonly { readonly type: string; readonly name?: string }[];
  readonly skills?: AgentSkills | undefined;
}): readonly { readonly pointer: string; readonly detail: string }[] {
  if (skills.length === 0) return [];
  return tools.flatMap(({ name }, index) =>
    name === READ_SKILL_TOOL
      ? [{ pointer: `#/tools/${index}/name`, detail: `${name} is the tool that reads skills` }]
      : [],
  );
}

/** The files of a new skill or of a new version: all of them, also those that did not change. */
export const SkillWriteSchema = z
  .strictObject({ files: SkillFilesSchema })
  .meta({ id: "SkillWrite", description: "All files of the folder." });

/** Any path that a version may have, also one that would be refused today. */
export const SkillContentQuerySchema = z.strictObject({
  path: z.string().min(1).max(MAX_SKILL_PATH_CHARACTERS),
});

const bytes = z.number().int().nonnegative();

/** A skill as its newest version has it. */
export const SkillSchema = z
  .object({
    id: z.string(),
    /** From the front matter of SKILL.md; the same in all versions. */
    name: z.string(),
    /** From the front matter of SKILL.md. */
    description: z.string(),
    /** The number of the newest version. */
    version: z.number().int().positive(),
    file_count: z.number().int().positive(),
    /** Of all files. */
    bytes,
    created_at: TimestampSchema,
    updated_at: TimestampSchema,
  })
  .meta({ id: "Skill", description: "A skill as its newest version has it." });
export type Skill = z.infer<typeof SkillSchema>;

/** A file of a version. @public */
export const SkillFileSchema = z
  .object({
    path: z.string(),
    bytes,
    /** Recognised by the bytes, and of text by the end of its path. */
    media_type: z.string(),
    /** Whether all of it is UTF-8: only then a model can read it. */
    is_text: z.boolean(),
  })
  .meta({ id: "SkillFile", description: "A file of a version." });
export type SkillFile = z.infer<typeof SkillFileSchema>;

/** @public */
export const SkillVersionSummarySchema = z
  .object({
    skill_id: z.string(),
    version: z.number().int().positive(),
    name: z.string(),
    description: z.string(),
    file_count: z.number().int().positive(),
    bytes,
    created_at: TimestampSchema,
  })
  .meta({ id: "SkillVersionSummary", description: "A version of a skill without its files." });
export type SkillVersionSummary = z.infer<typeof SkillVersionSummarySchema>;

export const SkillVersionSchema = SkillVersionSummarySchema.extend({
  /** SKILL.md first, then by path. */
  files: z.array(SkillFileSchema),
}).meta({
  id: "SkillVersion",
  description: "A version of a skill, which never changes, with its files.",
});
export type SkillVersion = z.infer<typeof SkillVersionSchema>;

export const SkillPageSchema = pageOf(SkillSchema).meta({ id: "SkillPage" });
export const SkillVersionPageSchema = pageOf(SkillVersionSummarySchema).meta({
  id: "SkillVersionPage",
});
