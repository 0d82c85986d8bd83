// Commands that only look. What is not known to be harmless with these very options is not among them.
import type { CommandPart } from "./command-part.ts";
import { isWritingRedirect } from "./match-command.ts";
import { normalizePath } from "../paths/normalize-path.ts";
import type { FullCommand } from "./read-nested-commands.ts";

/** Nothing that these are given makes them write or run anything. */
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

/** Whether every part only looks, nothing is hidden, and nothing is written. */
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
  // A file's name that a wildcard stands for may look like an option.
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

/** `< /dev/tcp/host/80` is a connection, and what a variable stands for may be its host. */
function isReachingOut({ target }: CommandPart["redirects"][number]): boolean {
  return target.isUnknown || /^\/dev\/(?:tcp|udp)(?:\/|$)/.test(normalizePath(target.text, "/"));
}
