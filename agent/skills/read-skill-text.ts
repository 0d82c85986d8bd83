// The name and the description of a skill in its SKILL.md, as the Agent Skills format has them.
import {
  MAX_SKILL_DESCRIPTION_CHARACTERS,
  MAX_SKILL_NAME_CHARACTERS,
} from "../../protocol/skills/limits.ts";
import { findUnpackableName } from "../../protocol/skills/unpackable-names.ts";
import { utf8Bytes } from "../../protocol/utf8-bytes.ts";
import { readFrontMatter } from "./front-matter.ts";

export type SkillText =
  | {
      readonly ok: true;
      readonly name: string;
      readonly description: string;
      /** Bytes before the instructions. */
      readonly body_offset: number;
    }
  | { readonly ok: false; readonly problem: string };

const NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
// oxlint-disable-next-line no-control-regex
const CONTROL = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/;

/** @param text The whole of SKILL.md. Other keys of its front matter than name and description are not used. */
export function readSkillText(text: string): SkillText {
  const front = readFrontMatter(text);
  if (!front.ok) return front;
  const name = front.texts.get("name") ?? "";
  const description = (front.texts.get("description") ?? "").trim();
  const problem = findNameProblem(name) ?? findDescriptionProblem(description);
  if (problem !== null) return { ok: false, problem };
  return { ok: true, name, description, body_offset: utf8Bytes(text.slice(0, front.end)) };
}

function findNameProblem(name: string): string | null {
  if (name === "") return "its front matter has no name";
  if (name.length > MAX_SKILL_NAME_CHARACTERS)
    return `its name may have ${MAX_SKILL_NAME_CHARACTERS} characters at most`;
  if (!NAME.test(name))
    return "its name is lower-case letters, digits and single hyphens between them, such as pdf-forms";
  // The skill's name is the name of its folder, too.
  return findUnpackableName(name);
}

function findDescriptionProblem(description: string): string | null {
  if (description === "") return "its front matter has no description";
  if (description.length > MAX_SKILL_DESCRIPTION_CHARACTERS)
    return `its description may have ${MAX_SKILL_DESCRIPTION_CHARACTERS} characters at most`;
  return CONTROL.test(description) ? "its description holds a control character" : null;
}
