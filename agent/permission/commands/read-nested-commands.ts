// Parses a command and the commands that it passes to a shell as text: `bash -c '…'`, `eval …`, `trap '…' EXIT`.
import type { CommandPart, CommandWord, Construct } from "./command-part.ts";
import {
  addStarts,
  findPrograms,
  isAssignment,
  type Program,
  type Programs,
} from "./find-programs.ts";
import { readCommand } from "./read-command.ts";

const SHELLS = new Set("sh bash zsh dash ksh ash fish su runuser script".split(" "));
/** Programs whose `-c` may have its value attached, as in `su -c'…'`; for other shells attached letters are flags. */
const TEXT_AFTER_FLAG = new Set("su runuser script".split(" "));
/** Programs that run their standard input as commands. */
const FED_RUNNERS = new Set("at batch parallel . source".split(" "));
/** Programs that join their arguments to one text for a shell: `ssh host ls ';' rm x`. */
const JOINERS = new Set("ssh watch parallel".split(" "));
const OPERATOR = /[\s;&|<>()`$]/;
const MAX_NESTING = 3;

export interface FullPart extends CommandPart, Programs {}

export interface FullCommand {
  /** The command as it was given. */
  readonly text: string;
  readonly parts: readonly FullPart[];
  readonly constructs: ReadonlySet<Construct>;
  /** False when some of what runs is unknown; rules then decide strictly. */
  readonly isReadable: boolean;
  /** Whether some of the parts were text for a shell. */
  readonly hasNestedText: boolean;
}

/** The text that a shell will run; null when it is not in the command line. */
interface Script {
  readonly text: string | null;
}

/** Linear: each level's text is a part of the level above, and there are {@link MAX_NESTING} levels at most. */
export function readNestedCommands(text: string): FullCommand {
  const parts: FullPart[] = [];
  const constructs = new Set<Construct>();
  let isReadable = true;
  let texts: readonly string[] = [text];
  let level = 0;
  for (; texts.length > 0 && level < MAX_NESTING; level += 1) {
    const nested: string[] = [];
    for (const read of texts.map(readCommand)) {
      if (!read.isReadable) isReadable = false;
      for (const construct of read.constructs) constructs.add(construct);
      for (const part of read.parts) {
        const found = findPrograms(part);
        parts.push({ ...part, ...found });
        const scripts = found.programs.flatMap((program) => findScript(part, program) ?? []);
        const script = scripts[0];
        if (script?.text) nested.push(script.text);
        // Several readings of one part would multiply from level to level.
        if (!found.isComplete || scripts.length > 1 || script?.text === null) isReadable = false;
      }
    }
    texts = nested;
  }
  if (texts.length > 0) isReadable = false;
  return { text, parts, constructs, isReadable, hasNestedText: level > 1 };
}

function findScript(part: CommandPart, { start, name }: Program): Script | null {
  const rest = part.words.slice(start + 1);
  const options = ownOptions(rest);
  const isFed = part.isPiped || part.redirects.some(({ operator }) => operator.startsWith("<"));
  if (name === "eval") return join(rest);
  if (name === "trap") return join(rest.filter((word) => !word.text.startsWith("-")).slice(0, 1));
  if (SHELLS.has(name)) return findScriptOfShell(name, rest, isFed);
  const isUnread =
    // `ls` may be `rm` after `hash -p /bin/rm ls` and `alias ls=rm`.
    (name === "hash" && options.some((text) => /^-[a-z]*p/.test(text))) ||
    (name === "alias" && rest.some(({ text, isUnknown }) => isUnknown || text.includes("="))) ||
    (JOINERS.has(name) && hidesOperator(part, start)) ||
    (name === "env" && options.some((text) => /^-[A-Za-z0]*S|^--s/.test(text))) ||
    (/^(?:sudo|doas)$/.test(name) && isFed && options.some((text) => isShellOption(text))) ||
    (name === "parallel" && isFed && rest.length === options.length) ||
    (name !== "parallel" && FED_RUNNERS.has(name) && (isFed || rest[0]?.isUnknown === true));
  if (isUnread) return { text: null };
  // Some wrappers take the whole command as one argument.
  const text = start > 0 ? (part.words[start]?.text ?? "") : name;
  return /\w/.test(text) && OPERATOR.test(text) ? join(part.words.slice(start)) : null;
}

/** Whether arguments of the command contain what a shell would parse as an operator. */
function hidesOperator(part: CommandPart, start: number): boolean {
  const starts = new Set<number>();
  addStarts(part.words, start + 1, 1, starts);
  const last = Math.max(start, ...starts);
  return part.words.slice(last + 1).some(({ text }) => /[;&|<>()`\n]/.test(text));
}

function findScriptOfShell(
  name: string,
  rest: readonly CommandWord[],
  isFed: boolean,
): Script | null {
  const isTextAfter = TEXT_AFTER_FLAG.has(name);
  const flag = rest.findIndex((word) => /^-[a-z]*c/i.test(word.text));
  if (flag < 0) {
    const operand = rest.find((word) => !word.text.startsWith("-"));
    const isLong = rest.some((word) => /^--(?:c|se|init-c)/.test(word.text));
    return isFed || isLong || operand?.isUnknown ? { text: null } : null;
  }
  const after = rest.slice(flag + 1);
  const script = after.findIndex((word) => !/^[-+]/.test(word.text));
  const flags = rest.slice(flag, script < 0 ? undefined : flag + 1 + script);
  // An option with an `o` takes the next word; the text comes after it.
  const isPuzzle = isTextAfter
    ? !/^-[a-z]*c$/i.test(rest[flag]?.text ?? "")
    : flags.some((word) => /^[-+].*o/i.test(word.text));
  if (isPuzzle) return { text: null };
  const found = after[script];
  return found ? join([found]) : null;
}

/** The options before the first word that is neither an option, nor its value, nor an assignment. */
function ownOptions(words: readonly CommandWord[]): readonly string[] {
  const options: string[] = [];
  let followsOption = false;
  for (const word of words) {
    const isOption = word.text.startsWith("-");
    if (!isOption && !followsOption && !isAssignment(word)) break;
    if (isOption) options.push(word.text);
    followsOption = isOption;
  }
  return options;
}

function isShellOption(text: string): boolean {
  return /^-[A-Za-z]*[si]|^--(?:sh|l)/.test(text);
}

function join(words: readonly CommandWord[]): Script {
  if (words.some((word) => word.isUnknown)) return { text: null };
  return { text: words.map((word) => word.text).join(" ") };
}
