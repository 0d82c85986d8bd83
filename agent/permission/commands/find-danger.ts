// Finds dangerous commands, which are asked about in spite of allow rules: destructive ones, privilege escalation,
// obfuscation.
import type { CommandWord, Construct } from "./command-part.ts";
import { findDangerousSegment } from "../paths/dangerous-path.ts";
import { isWritingRedirect } from "./match-command.ts";
import { normalizePath } from "../paths/normalize-path.ts";
import { isReadOnlyPart } from "./read-only-command.ts";
import type { FullCommand, FullPart } from "./read-nested-commands.ts";

const DISK_PROGRAMS = new Set("dd fdisk sfdisk cfdisk wipefs shred format".split(" "));
const SYSTEM_FOLDERS = new Set(
  "bin boot dev etc home lib lib64 opt proc root run sbin srv sys usr var users system library applications".split(
    " ",
  ),
);
const HARMLESS_DEVICES = /^\/dev\/(?:null|stdout|stderr|tty|fd\/\d+)$/;

/** The reason that the command is dangerous in itself, or null. Linear in its text. */
export function findDanger(command: FullCommand): string | null {
  if (!command.isReadable) return "Safety: the command cannot be read with certainty";
  const hidden = [...command.constructs].find((construct) => isHiding(construct));
  if (hidden) return `Safety: the command uses ${hidden}`;
  if (command.hasNestedText) return "Safety: the command hands text to a shell";
  for (const part of command.parts) {
    const danger = findDangerOfPart(part);
    if (danger !== null) return `Safety: ${danger}`;
  }
  return null;
}

function isHiding(construct: Construct): boolean {
  return construct !== "simple_expansion";
}

function findDangerOfPart(part: FullPart): string | null {
  for (const program of part.programs) {
    const rest = part.words.slice(program.start + 1);
    const before = part.words.slice(0, program.start).map((word) => word.text);
    const danger = findDangerOfProgram(program.name, rest, before);
    if (danger !== null) return danger;
  }
  const device = part.redirects.find((redirect) => {
    const path = normalizePath(redirect.target.text, undefined).toLowerCase();
    const isDevice = path.startsWith("/dev/") && !HARMLESS_DEVICES.test(path);
    return isDevice && isWritingRedirect(redirect);
  });
  if (device) return `the command writes to ${device.target.text}`;
  if (isReadOnlyPart(part)) return null;
  const touched = [...part.words, ...part.redirects.map(({ target }) => target)];
  const sensitive = touched.map(findSensitiveName).find((name) => name !== null);
  return sensitive === undefined ? null : `the command touches ${sensitive}`;
}

function findDangerOfProgram(
  name: string,
  words: readonly CommandWord[],
  before: readonly string[],
): string | null {
  const texts = words.map((word) => word.text);
  switch (name) {
    case "rm":
      if (hasFlag(texts, /[rR]/, "--recursive") && hasFlag(texts, /f/, "--force")) return "rm -rf";
      if (before.some((word) => /(?:^|\/)(?:sudo|doas)$/.test(word))) return "sudo rm";
      return findSystemFolder(texts);
    case "rmdir":
    case "unlink":
      return findSystemFolder(texts);
    case "chmod":
      return texts.some((text) => /^[0-7]?777$|^(?:a|ugo)?\+rwx$/.test(text)) ? "chmod 777" : null;
    case "chown":
      return hasFlag(texts, /R/, "--recursive") ? "chown -R" : null;
    case "kill":
    case "pkill":
    case "killall":
      return texts.some((text) =>
        /^(?:-?9|-?(?:sig)?kill|--signal=(?:9|(?:sig)?kill))$/i.test(text),
      )
        ? `${name} -9`
        : null;
    case "find":
      return texts.includes("-delete") ? "find -delete" : null;
    case "eval":
      return "eval runs text as a command";
    default:
      return DISK_PROGRAMS.has(name) || name.startsWith("mkfs") ? name : null;
  }
}

function hasFlag(texts: readonly string[], letter: RegExp, long: string): boolean {
  return texts.some((text) =>
    text.startsWith("--") ? isAbbreviation(text, long) : text.startsWith("-") && letter.test(text),
  );
}

/** Long options may be abbreviated to any unique prefix. */
function isAbbreviation(text: string, long: string): boolean {
  return text.length > "--".length && long.startsWith(text);
}

function findSystemFolder(texts: readonly string[]): string | null {
  for (const text of texts) {
    if (text.startsWith("-")) continue;
    const [first = "", second, ...deeper] = normalizePath(text, undefined)
      .replace(/\/\*+$/, "")
      .toLowerCase()
      .split("/");
    const isRoot = first === "" ? !second : /^~[^/]*$/.test(first) && second === undefined;
    const isSystem = first === "" && SYSTEM_FOLDERS.has(second ?? "") && deeper.length === 0;
    if (isRoot || isSystem) return `the removal of ${text.slice(0, 200)}`;
  }
  return null;
}

/**
 * A sensitive file name in any part of a word: `--file=.env`, `host:.ssh/x`, or a wildcard that matches hidden files.
 */
function findSensitiveName(word: CommandWord): string | null {
  const path = word.text.replace(/[\\=:,@{}]/g, "/");
  const name = findDangerousSegment(path) ?? findDangerousSegment(normalizePath(path, undefined));
  if (name !== null) return name;
  const isOpen = word.hasWildcard || word.isUnknown;
  if (isOpen && /(?:^|\/)\.github\//i.test(path)) return ".github/workflows";
  const isHiddenPattern = word.hasWildcard && /(?:^|\/)\.[^/]*[*?[]/.test(path);
  return isHiddenPattern ? "hidden files" : null;
}
