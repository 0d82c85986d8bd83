// The part of the system prompt that names an agent's skills.
import { READ_SKILL_TOOL, type PinnedSkills } from "../../protocol/skills/skill.ts";

/**
 * The system prompt with the skills behind it: the same text for the same versions, in the agent's own order, so that the
 * prefix of requests stays what the provider has cached.
 */
export function withSkills(systemPrompt: string, { found }: PinnedSkills): string {
  if (found.length === 0) return systemPrompt;
  const list = found.map(({ name, description }) => `- ${name}: ${oneLine(description)}`);
  const skills = [
    "# Skills",
    "",
    `Each of these skills is a folder of instructions and files for one kind of task. When a task fits a skill's description, call ${READ_SKILL_TOOL} with its name before you begin, and follow what it says.`,
    "",
    ...list,
  ].join("\n");
  return systemPrompt === "" ? skills : `${systemPrompt}\n\n${skills}`;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ");
}
