// The files of a skill as a request has them: paths inside of its folder, and their content.
import * as z from "zod";

import { MAX_SKILL_FILES, MAX_SKILL_PATH_CHARACTERS, MAX_SKILL_PATH_DEPTH } from "./limits.ts";
import { findUnpackableName, foldPath } from "./unpackable-names.ts";

/** Separators of other systems, drive letters, control characters, text direction marks: nothing that a path hides. */
const FORBIDDEN = /[\\:\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Surrogate}]/u;

/** The reason that this is no path of a file inside of a folder; null when it is one. */
function findPathProblem(path: string): string | null {
  if (FORBIDDEN.test(path)) return "a path holds no backslash, colon or control character";
  if (path.startsWith("/")) return "a path begins in the skill's folder, without /";
  const names = path.split("/");
  if (names.some((name) => name === "" || name === "." || name === ".."))
    return "a path holds no empty name, . or ..";
  if (names.some((name) => name !== name.trim() || name.endsWith(".")))
    return "the names of a path neither begin nor end with a space, nor end with a dot";
  if (names.length > MAX_SKILL_PATH_DEPTH)
    return `a path has ${MAX_SKILL_PATH_DEPTH} names at most`;
  if (path !== path.normalize("NFC")) return "a path is in Unicode's normal form NFC";
  return names.map(findUnpackableName).find((problem) => problem !== null) ?? null;
}

const SkillPathSchema = z
  .string()
  .min(1)
  .max(MAX_SKILL_PATH_CHARACTERS)
  .superRefine((path, context) => {
    const message = findPathProblem(path);
    if (message !== null) context.addIssue({ code: "custom", message });
  });

/** One file: its content is either `text` or `base64`. @public */
export const SkillFileInputSchema = z
  .strictObject({
    /** Below the skill's folder, with `/` between names. */
    path: SkillPathSchema,
    /** The content as text; stored as UTF-8. */
    text: z
      .string()
      .refine((text) => !/\p{Surrogate}/u.test(text), { message: "holds half of a surrogate pair" })
      .optional(),
    /** The content as base64. */
    base64: z.string().optional(),
  })
  .refine(({ text, base64 }) => (text === undefined) !== (base64 === undefined), {
    message: "a file has either text or base64",
  })
  .meta({ id: "SkillFileInput", description: "A file; its content is either `text` or `base64`." });
export type SkillFileInput = z.infer<typeof SkillFileInputSchema>;

export const SkillFilesSchema = z
  .array(SkillFileInputSchema)
  .min(1)
  .max(MAX_SKILL_FILES)
  .superRefine((files, context) => {
    const paths = files.map(({ path }) => foldPath(path));
    const known = new Set(paths);
    const seen = new Set<string>();
    for (const [index, path] of paths.entries()) {
      const message = seen.has(path)
        ? "two files have the same path where capitals and forms of letters do not count"
        : parentsOf(path).some((parent) => known.has(parent))
          ? "a folder of this path is a file, too"
          : null;
      seen.add(path);
      if (message !== null)
        context.addIssue({ code: "custom", message, path: [index, "path"], input: path });
    }
  });

/** `a/b/c`: `a` and `a/b`. */
function parentsOf(path: string): readonly string[] {
  const names = path.split("/");
  return names.slice(1).map((_, index) => names.slice(0, index + 1).join("/"));
}
