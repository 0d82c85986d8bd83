// What `tmux` is told. Much of it is a language of its own, in which commands for a shell may stand anywhere.
import type { CommandPart } from "./command-part.ts";

/**
 * `quiet` runs nothing that is in the command line, `runs` the words behind its options, as one text for a shell or
 * as a program and what it is given; of a `puzzle` only the run can tell.
 */
export type TerminalUse = "quiet" | "runs" | "puzzle";

/** Subcommands may be shortened, and have short names. */
const QUIET =
  /^(?:a|at|att.*|ls|ls[cpw]|list-.*|has.*|kill[pw]|kill-.*|det.*|select[plw]|select-.*|switchc|switch-.*|capturep|capture-.*|renamew?|rename-.*|resize[pw]|resize-.*|show|show-.*|display|display-message|info|start|start-server)$/;
const RUNS = /^(?:new.*|splitw|split-.*|respawn[pw]|respawn-.*|popup|display-popup|pipep|pipe-.*)$/;
/** Options of `tmux` itself that take the next word. */
const TAKES_WORD = /^-[2CDluUvVN]*[LSfTc]$/;
const RUNS_TEXT = /^-[2CDluUvVN]*c/;

/** @param start The index of `tmux` among the part's words. */
export function readTerminalUse(
  { words, redirects, isPiped }: CommandPart,
  start: number,
): TerminalUse {
  const rest = words.slice(start + 1);
  const isFed = isPiped || redirects.some(({ operator }) => operator.startsWith("<"));
  // Another subcommand behind a semicolon; a format that runs a program.
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
