// Recognises commands that only change files, and finds these files: `accept_edits` allows them inside the working
// directories.
import { isInside } from "../paths/dangerous-path.ts";
import { normalizePath } from "../paths/normalize-path.ts";
import type { CommandPart, CommandWord } from "./command-part.ts";
import { isReadOnlyPart } from "./read-only-command.ts";
import type { FullCommand } from "./read-nested-commands.ts";

const PROGRAMS = new Set(["mkdir", "touch", "rm", "rmdir", "mv", "cp", "sed"]);
/** `sed` scripts that only substitute or delete: others can write files and run commands. */
const PLAIN_SCRIPT = /^(?:s([/|,#])[^\n\\/|,#]*\1[^\n\\/|,#]*\1[gI0-9]*|[0-9,$]*d)$/;

/** Whether the command changes at least one file and nothing outside these folders. */
export function changesOnlyInside(command: FullCommand, folders: readonly string[]): boolean {
  const isPlain = command.isReadable && command.constructs.size === 0 && !command.hasNestedText;
  if (!isPlain) return false;
  const acting = command.parts.filter((part) => !isReadOnlyPart(part));
  return acting.length > 0 && acting.every((part) => isPartInside(part, folders));
}

function isPartInside(part: CommandPart, folders: readonly string[]): boolean {
  const [program, ...rest] = part.words;
  if (!program || !PROGRAMS.has(program.text) || part.redirects.length > 0) return false;
  const paths = findPaths(program.text, rest);
  return (
    paths !== null &&
    paths.length > 0 &&
    paths.every((path) => isInside(normalizePath(path, folders[0]), folders))
  );
}

/** The arguments that are paths; null when that is uncertain. */
function findPaths(program: string, words: readonly CommandWord[]): readonly string[] | null {
  const paths: string[] = [];
  let isAfterOptions = false;
  let needsScript = program === "sed";
  for (const { text, isUnknown, hasWildcard } of words) {
    // `.*` matches `..` in some shells.
    if (isUnknown || (hasWildcard && /(?:^|\/)\./.test(text))) return null;
    if (!isAfterOptions && text === "--") {
      isAfterOptions = true;
    } else if (!isAfterOptions && text.startsWith("-")) {
      // An option may hold a path (`--target-directory=/etc`, `-t/etc`) or a script (`-e`).
      if (
        !/^-[A-Za-z]+$|^--[a-z-]+$/.test(text) ||
        (program === "sed" && !/^-[inErsz]+$/.test(text))
      ) {
        return null;
      }
    } else if (needsScript) {
      if (!PLAIN_SCRIPT.test(text)) return null;
      needsScript = false;
    } else {
      paths.push(text);
    }
  }
  return paths;
}
