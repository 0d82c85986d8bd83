// Classifies the arguments of `tmux`, which has a command language of its own that can contain shell commands anywhere.
import type { CommandPart } from "./command-part.ts";

/**
 * `quiet` runs nothing from the command line; `runs` runs the words after its options, as one text for a shell or as a
 * program with arguments; `puzzle` is uncertain before run time.
 */
export type TerminalUse = "quiet" | "runs" | "puzzle";

/** Subcommands may be abbreviated, and have aliases. */
const QUIET =
  /^(?:a|at|att.*|ls|ls[cpw]|list-.*|has.*|kill[pw]|kill-.*|det.*|select[plw]|select-.*|switchc|switch-.*|capturep|capture-.*|renamew?|rename-.*|resize[pw]|resize-.*|show|show-.*|display|display-message|info|start|start-server)$/;
const RUNS = /^(?:new.*|splitw|split-.*|respawn[pw]|respawn-.*|popup|display-popup|pipep|pipe-.*)$/;
/** Global options of `tmux` that take an argument. */
const TAKES_WORD = /^-[2CDluUvVN]*[LSfTc]$/;
const RUNS_TEXT = /^-[2CDluUvVN]*c/;

/** @param start The index of `tmux` among the part's words. */
export function readTerminalUse(
  { words, redirects, isPiped }: CommandPart,
  start: number,
): TerminalUse {
  const rest = words.slice(start + 1);
  const isFed = isPiped || redirects.some(({ operator }) => operator.startsWith("<"));
  // A semicolon begins another subcommand; a format may run a program.
  const hidesMore = rest.some(({ text }) => text.endsWith(";") || text.includes("#("));
  if (isFed || hidesMore) return "puzzle";
  let hasText = false;
  let at = 0;
  for (; rest[at]?.text.startsWith("-") === true; at += 1) {
    const text = rest[at]?.text ?? "";
    if (RUNS_TEXT.test(text)) hasText = true;
    if (TAKES_WORD.test(text)) at += 1;
    else if (hasText) return "puzzle";
  }
  if (rest.slice(0, at + 1).some(({ isUnknown }) => isUnknown)) return "puzzle";
  const subcommand = rest[at]?.text;
  if (hasText || subcommand === undefined) return "runs";
  if (QUIET.test(subcommand)) return "quiet";
  return RUNS.test(subcommand) ? "runs" : "puzzle";
}
