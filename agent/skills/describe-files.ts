import { SKILL_LIST_CHARACTERS } from "../../protocol/skills/limits.ts";
import type { SkillFile } from "../../protocol/skills/contract.ts";

/** The list of files for a model, bounded; what does not fit is read folder by folder. */
export function describeFiles(files: readonly SkillFile[]): string {
  const lines: string[] = [];
  let characters = 0;
  for (const file of files) {
    const line = describeFile(file);
    characters += line.length + 1;
    if (characters > SKILL_LIST_CHARACTERS) break;
    lines.push(line);
  }
  const left = files.length - lines.length;
  const rest =
    left > 0
      ? [`and ${left} more: give a folder such as references/ as the path to see its files`]
      : [];
  return ["Files, which are read by their path:", ...lines, ...rest].join("\n");
}

function describeFile({ path, bytes, media_type, is_text }: SkillFile): string {
  return `- ${path} (${media_type}, ${bytes} bytes${is_text ? "" : ", no text"})`;
}
