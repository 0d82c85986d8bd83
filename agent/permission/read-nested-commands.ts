// A command with the commands that it hands to a shell as text: `bash -c '…'`, `eval …`, `trap '…' EXIT`.
import type { CommandPart, CommandWord, Construct } from "./command-part.ts";
import { findPrograms, type Program, type Programs } from "./find-programs.ts";
import { readCommand } from "./read-command.ts";

const SHELLS = new Set("sh bash zsh dash ksh ash fish su runuser".split(" "));
const MAX_NESTING = 3;

export interface FullPart extends CommandPart, Programs {}

export interface FullCommand {
  /** As it was given. */
  readonly text: string;
  readonly parts: readonly FullPart[];
  readonly constructs: ReadonlySet<Construct>;
  /** False when some of what runs is not known; rules then decide strictly. */
  readonly isReadable: boolean;
  /** Whether some of the parts were text for a shell. */
  readonly hasNestedText: boolean;
}

/** The text that a shell will run; null when it is not in the command line. */
interface Script {
  readonly text: string | null;
}

/** Linear: each level's text is a part of the one before, and there are {@link MAX_NESTING} levels at most. */
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
  if (name === "eval") return join(rest);
  if (name === "trap") return join(rest.filter((word) => !word.text.startsWith("-")).slice(0, 1));
  if (SHELLS.has(name)) {
    const flag = rest.findIndex((word) => /^-[a-z]*c/i.test(word.text));
    const script = rest.slice(flag + 1).find((word) => !word.text.startsWith("-"));
    if (flag >= 0) return script ? join([script]) : null;
    const isFed = part.isPiped || part.redirects.some(({ operator }) => operator.startsWith("<"));
    return isFed ? { text: null } : null;
  }
  // Some wrappers take the whole command as one word.
  return /\s/.test(name) ? join(part.words.slice(start)) : null;
}

function join(words: readonly CommandWord[]): Script {
  if (words.some((word) => word.isUnknown)) return { text: null };
  return { text: words.map((word) => word.text).join(" ") };
}
