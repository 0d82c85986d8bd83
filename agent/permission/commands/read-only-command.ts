// Recognises read-only commands. A command counts only when it is known to be harmless with the given options.
import type { CommandPart } from "./command-part.ts";
import { isWritingRedirect } from "./match-command.ts";
import { normalizePath } from "../paths/normalize-path.ts";
import type { FullCommand } from "./read-nested-commands.ts";

/** Programs that write and run nothing, whatever their arguments. */
const HARMLESS = new Set(
  "ls pwd cat head tail wc echo whoami which stat du df uname id printenv grep egrep fgrep cut tr cmp diff basename dirname realpath readlink true false nl tac comm".split(
    " ",
  ),
);
const GIT_SUBCOMMANDS = new Set(
  "status log diff show rev-parse ls-files ls-tree blame describe shortlog cat-file merge-base".split(
    " ",
  ),
);
const FIND_ACTIONS = /^-(?:exec|ok|delete|fprint|fls)/;

/** Whether every part is read-only, with no expansion and no redirection to a file. */
export function isReadOnlyCommand(command: FullCommand): boolean {
  return (
    command.isReadable &&
    command.constructs.size === 0 &&
    !command.hasNestedText &&
    command.parts.length > 0 &&
    command.parts.every(isReadOnlyPart)
  );
}

export function isReadOnlyPart(part: CommandPart): boolean {
  const [program, ...rest] = part.words;
  const isPlain =
    program !== undefined &&
    part.source !== "" &&
    !part.words.some((word) => word.isUnknown) &&
    !program.hasWildcard &&
    part.redirects.every((redirect) => !isWritingRedirect(redirect) && !isReachingOut(redirect));
  if (!isPlain) return false;
  if (HARMLESS.has(program.text)) return true;
  // A file name that a wildcard matches may look like an option.
  if (rest.some((word) => word.hasWildcard)) return false;
  const texts = rest.map((word) => word.text);
  switch (program.text) {
    case "git":
      return (
        GIT_SUBCOMMANDS.has(texts[0] ?? "") &&
        !texts.some((text) => /^(?:-o|-O|--o|--ext)/.test(text))
      );
    case "find":
      return !texts.some((text) => FIND_ACTIONS.test(text));
    case "date":
      return texts.every((text) => text.startsWith("+"));
    case "hostname":
      return texts.length === 0;
    case "sort":
    case "tree":
      return !texts.some((text) => text.startsWith("-") && /o|compress-prog|-T|R/.test(text));
    default:
      return false;
  }
}

/** `< /dev/tcp/host/80` opens a connection, and a variable may hold its host. */
function isReachingOut({ target }: CommandPart["redirects"][number]): boolean {
  return target.isUnknown || /^\/dev\/(?:tcp|udp)(?:\/|$)/.test(normalizePath(target.text, "/"));
}
