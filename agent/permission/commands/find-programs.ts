// Finds the words of a part that may be the executed program: `sudo -u root env X=1 /bin/rm` runs `rm`.
import type { CommandPart, CommandWord } from "./command-part.ts";
import { findSandboxed } from "./find-sandboxed.ts";
import { readTerminalUse } from "./read-terminal-use.ts";

/** Programs that run their arguments as a command, by the number of arguments of their own before it. */
const WRAPPERS: ReadonlyMap<string, number> = new Map([
  ...words(
    "sudo doas env command builtin exec nohup time nice ionice stdbuf setsid xargs busybox toybox",
  ),
  ...words("strace ltrace unshare nsenter parallel caffeinate watch pkexec fakeroot unbuffer"),
  ...words("setpriv prlimit systemd-run linux32 linux64 i386 x86_64 proot xvfb-run chronic gdb"),
  ...words("dbus-run-session torsocks torify proxychains numactl cpulimit eatmydata valgrind"),
  ...words("firejail ssh-agent rlwrap screen"),
  ...words("if then elif else while until do ! {"),
  ...words(
    "timeout flock chroot chrt taskset su runuser script ssh setarch faketime coproc function dtach abduco",
    1,
  ),
]);
const FIND_RUNS = new Set(["-exec", "-execdir", "-ok", "-okdir"]);
const ASSIGNMENT = /^[A-Za-z_][A-Za-z0-9_]*(?:\[[^\]]*\])?\+?=/;

/** A part with more candidates has an incomplete result, which rules read strictly. */
export const MAX_PROGRAMS = 8;

export interface Program {
  /** The word's index in the part. */
  readonly start: number;
  /** The program's file name in lower case; empty when it is known only at run time. */
  readonly name: string;
}

export interface Programs {
  readonly programs: readonly Program[];
  /** False when there may be more programs. */
  readonly isComplete: boolean;
}

export function findPrograms(part: CommandPart): Programs {
  const starts = new Set<number>();
  const programs: Program[] = [];
  addStarts(part.words, 0, 0, starts);
  // Iterating a set includes entries that are added meanwhile.
  for (const start of starts) {
    const word = part.words[start];
    if (!word) continue;
    if (programs.length === MAX_PROGRAMS) return { programs, isComplete: false };
    const name = programName(word);
    programs.push({ start, name });
    const own = WRAPPERS.get(name);
    if (own !== undefined) addStarts(part.words, start + 1, own, starts);
    if (!addOwnStarts(part, { start, name }, starts)) return { programs, isComplete: false };
  }
  return { programs, isComplete: true };
}

/** Whether the program runs its arguments as a command. */
export function isWrapper(name: string): boolean {
  return WRAPPERS.has(name) || name === "bwrap" || name === "tmux";
}

export function programName(word: CommandWord): string {
  // `xargs` and `find` insert their findings in place of `{}`.
  if (word.isUnknown || word.hasWildcard || word.text.includes("{}")) return "";
  const cut = Math.max(word.text.lastIndexOf("/"), word.text.lastIndexOf("\\"));
  return word.text.slice(cut + 1).toLowerCase();
}

export function isAssignment(word: CommandWord): boolean {
  return ASSIGNMENT.test(word.text);
}

/**
 * Adds the words from `from` on that may begin a command: the first that is neither an option nor an assignment, and
 * each that may be the value of the option before it. When there are more than {@link MAX_PROGRAMS}, the result is
 * incomplete.
 */
export function addStarts(
  all: readonly CommandWord[],
  from: number,
  ownWords: number,
  starts: Set<number>,
): void {
  let own = ownWords;
  let followsOption = false;
  for (let at = from; at < all.length && starts.size <= MAX_PROGRAMS; at += 1) {
    const word = all[at];
    if (!word) return;
    if (isAssignment(word)) continue;
    if (word.text.startsWith("-")) {
      followsOption = word.text !== "--";
      continue;
    }
    starts.add(at);
    if (!followsOption) {
      if (own === 0) return;
      own -= 1;
    }
    followsOption = false;
  }
}

/** Programs with an argument syntax of their own; false when there may be more than was found. */
function addOwnStarts(part: CommandPart, { start, name }: Program, starts: Set<number>): boolean {
  switch (name) {
    case "find":
      addFindRuns(part.words, start, starts);
      return true;
    case "bwrap": {
      const sandboxed = findSandboxed(part.words, start + 1);
      if (sandboxed !== null) starts.add(sandboxed);
      return sandboxed !== null;
    }
    case "tmux": {
      const use = readTerminalUse(part, start);
      if (use === "runs") addStarts(part.words, start + 1, 1, starts);
      return use !== "puzzle";
    }
    default:
      return true;
  }
}

function addFindRuns(all: readonly CommandWord[], start: number, starts: Set<number>): void {
  for (let at = start + 1; at < all.length && starts.size <= MAX_PROGRAMS; at += 1) {
    if (FIND_RUNS.has(all[at]?.text ?? "")) addStarts(all, at + 1, 0, starts);
  }
}

function words(list: string, ownWords = 0): readonly (readonly [string, number])[] {
  return list.split(" ").map((word) => [word, ownWords] as const);
}
