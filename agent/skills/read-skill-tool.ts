// The tool with which a model reads its skills: the instructions with the list of files, then files by range.
import { MAX_SKILL_PATH_CHARACTERS, READ_SKILL_BYTES } from "../../protocol/skills/limits.ts";
import { READ_SKILL_TOOL, SKILL_FILE, type PinnedSkill } from "../../protocol/skills/skill.ts";
import type { Settlement } from "../ability.ts";
import type { StopSignal, ToolDeclaration } from "../ports.ts";
import { describeFiles } from "./describe-files.ts";
import { sliceLines } from "./slice-lines.ts";
import type { SkillExcerpt, SkillFailure, SkillFolder, SkillLibrary } from "../skill-library.ts";
import type { SkillFile } from "../../protocol/skills/contract.ts";

/** A checked input of the tool. */
export interface ReadSkillInput {
  readonly skill: string;
  readonly path?: string;
  readonly offset?: number;
  readonly length?: number;
  readonly line?: number;
  readonly lines?: number;
}

export const READ_SKILL: ToolDeclaration = {
  name: READ_SKILL_TOOL,
  description:
    "Reads a skill. With the skill's name alone: its instructions and the list of its files. With a path: that file, or " +
    "the files of that folder. Long files are read in parts.",
  input_schema: {
    type: "object",
    properties: {
      skill: { type: "string", minLength: 1, description: "The name of the skill." },
      path: {
        type: "string",
        minLength: 1,
        maxLength: MAX_SKILL_PATH_CHARACTERS + 1,
        description:
          "A file of the skill, such as references/forms.md, or a folder with / at its end.",
      },
      offset: { type: "integer", minimum: 0, description: "The first byte; 0 by default." },
      length: {
        type: "integer",
        minimum: 1,
        description: `The number of bytes, ${READ_SKILL_BYTES} by default and at most.`,
      },
      line: {
        type: "integer",
        minimum: 1,
        description: "The first line, from 1; in place of offset and length.",
      },
      lines: { type: "integer", minimum: 1, description: "The number of lines from there on." },
    },
    required: ["skill"],
  },
  read_only: true,
  concurrency_safe: true,
  // The content of a version never changes: after a crash it is read again.
  idempotent: true,
  rule_argument: "/skill",
};

interface Reading {
  readonly skills: readonly PinnedSkill[];
  readonly library: SkillLibrary;
  /** Bytes that the result may have. */
  readonly room: number;
}

/** Contract: never rejects. */
export async function readSkill(
  input: ReadSkillInput,
  { skills, library, room }: Reading,
  stop: StopSignal,
): Promise<Settlement> {
  const skill = skills.find(({ name }) => name === input.skill);
  if (!skill) return failed(`There is no skill ${input.skill}. ${listNames(skills)}`);
  const isByLines = input.line !== undefined || input.lines !== undefined;
  if (isByLines && (input.offset !== undefined || input.length !== undefined))
    return failed("A part of a file is given either by offset and length, or by line and lines.");
  const folder = await library.open(skill, stop);
  if (typeof folder === "string") return failed(failureText(folder, skill));
  const { path = SKILL_FILE } = input;
  if (path.endsWith("/")) return listFolder(folder, path);
  const file = folder.files.find((one) => one.path === path);
  if (!file)
    return failed(`The skill ${skill.name} has no file ${path}. ${describeFiles(folder.files)}`);
  if (!file.is_text)
    return failed(
      `${path} is no text (${file.media_type}, ${file.bytes} bytes), so it cannot be read here.`,
    );
  const excerpt = await readPart(folder, file, input, room);
  if (typeof excerpt === "string") return failed(failureText(excerpt, skill));
  const isFirst = input.path === undefined && excerpt.offset === folder.body_offset;
  const others = folder.files.filter((one) => one.path !== SKILL_FILE);
  const files = isFirst && others.length > 0 ? `\n\n${describeFiles(others)}` : "";
  return { text: `${describePart(skill, file, excerpt)}\n\n${excerpt.text}${files}` };
}

async function readPart(
  folder: SkillFolder,
  file: SkillFile,
  { path, offset, length = READ_SKILL_BYTES, line, lines }: ReadSkillInput,
  room: number,
): Promise<SkillExcerpt | SkillFailure> {
  if (line === undefined && lines === undefined) {
    // Without a place the instructions are read, not the front matter before them.
    const from = offset ?? (path === undefined ? folder.body_offset : 0);
    return folder.read(file, Math.min(from, file.bytes), Math.min(length, room));
  }
  const whole = await folder.read(file, 0, file.bytes);
  if (typeof whole === "string") return whole;
  return sliceLines(whole.text, { line: line ?? 1, lines: lines ?? Infinity, bytes: room });
}

/** Tells the model which part of the file this is, and how to read the rest. */
function describePart(
  { name }: PinnedSkill,
  { path, bytes }: SkillFile,
  { offset, end }: SkillExcerpt,
): string {
  const part = `${name}/${path}, bytes ${offset} to ${end} of ${bytes}`;
  return end < bytes ? `${part}; it goes on at offset ${end}:` : `${part}:`;
}

function listFolder({ files }: SkillFolder, path: string): Settlement {
  const inside = files.filter((file) => file.path.startsWith(path));
  if (inside.length > 0) return { text: describeFiles(inside) };
  return failed(`There is no folder ${path}. ${describeFiles(files)}`);
}

function listNames(skills: readonly PinnedSkill[]): string {
  if (skills.length === 0) return "No skill is available.";
  return `There are: ${skills.map(({ name }) => name).join(", ")}.`;
}

function failureText(failure: SkillFailure, { name }: PinnedSkill): string {
  return failure === "gone"
    ? `The skill ${name} was deleted. Go on without it.`
    : `The skill ${name} cannot be read at the moment. Try again later, or go on without it.`;
}

function failed(text: string): Settlement {
  return { text, isError: true };
}
