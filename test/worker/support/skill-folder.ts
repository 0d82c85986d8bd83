import type { SkillFileInput } from "../../../protocol/skills/skill-files.ts";

/** The body that writes a skill. @param files Beside SKILL.md. */
export function skillFolder(
  name = "pdf-forms",
  { body = "Fill it in.\n", files = [] }: SkillFolder = {},
): { files: SkillFileInput[] } {
  const text = `---\nname: ${name}\ndescription: Does ${name}.\n---\n${body}`;
  return { files: [{ path: "SKILL.md", text }, ...files] };
}

interface SkillFolder {
  readonly body?: string;
  readonly files?: readonly SkillFileInput[];
}
