// Normalises a path and lists the interpretations that a server may give it. Lexical: symbolic links are not known
// here.
import { withoutIgnoredSuffixes, withSlashes } from "./windows-path.ts";

/** Invisible code points, which some file systems ignore in a name. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;
/** Unicode's own bound for streams; normalising a longer run of marks takes quadratic time. */
const TOO_MANY_MARKS = /\p{M}{31}/u;
const PERCENT_LOOK_ALIKE = /[\uff05\ufe6a]/;
const PLAIN = /^[\x20-\x7e]*$/;
const MAX_DECODINGS = 3;
/** The longest path that an operating system opens (Windows). */
export const MAX_PATH_CHARACTERS = 32_767;

export interface PathReadings {
  /** Every interpretation, normalised, the plain one first. */
  readonly paths: readonly string[];
  /** False for a deliberately misleading path, of which `paths` does not have every interpretation. */
  readonly isReadable: boolean;
}

/**
 * Resolves `.`, `..` and repeated slashes. A relative path is resolved against `base`; without one it stays relative
 * and keeps leading `..`. `~` and `~name` count as roots, since home directories are not known. Idempotent.
 */
export function normalizePath(path: string, base: string | undefined): string {
  const isRooted = path.startsWith("/") || path.startsWith("~");
  const full = isRooted || base === undefined ? path : `${base}/${path}`;
  // The common case, repeated slashes and dots, in one replacement.
  const tidy = full.replace(/\/(?:\.?\/)+/g, "/").replace(/(?<=.)\/\.?$/s, "");
  if (isNormal(tidy)) return tidy;
  const isAbsolute = full.startsWith("/");
  const floor = full.startsWith("~") ? 1 : 0;
  const segments: string[] = [];
  for (const segment of tidy.split("/")) {
    if (segment === "" || segment === ".") continue;
    if (segment !== "..") {
      segments.push(segment);
      continue;
    }
    const canGoUp = segments.length > floor && segments.at(-1) !== "..";
    if (canGoUp) segments.pop();
    else if (!isAbsolute) segments.push(segment);
  }
  const joined = segments.join("/");
  if (isAbsolute) return `/${joined}`;
  return joined === "" ? "." : joined;
}

/** Whether no segment is empty, `.` or `..`. */
function isNormal(path: string): boolean {
  return path !== "" && !/(?:^|\/)\.{0,2}(?:\/|$)/.test(path.slice(1)) && path[0] !== ".";
}

/**
 * The path as written, and as a server may read it that takes `\` for `/`, decodes percent signs, strips `file://`,
 * stops at a NUL, folds look-alike characters, or opens it on a Windows drive.
 */
export function readPath(text: string, base: string | undefined): PathReadings {
  if (text.length > MAX_PATH_CHARACTERS) return { paths: [], isReadable: false };
  const decoded = decodePercents(text);
  const isReadable = decoded.isReadable && !decoded.forms.some(isMisleading);
  const alternatives = [
    withoutScheme,
    upToNul,
    foldLookAlikes,
    withSlashes,
    withoutIgnoredSuffixes,
  ];
  let forms = decoded.forms;
  for (const alternative of alternatives) {
    forms = [...new Set(forms.flatMap((form) => [form, alternative(form)]))];
  }
  return { paths: [...new Set(forms.map((form) => normalizePath(form, base)))], isReadable };
}

/** Folding may produce percent signs, which might be decoded afterwards. */
function isMisleading(path: string): boolean {
  if (PLAIN.test(path)) return false;
  return TOO_MANY_MARKS.test(path) || PERCENT_LOOK_ALIKE.test(path);
}

function withoutScheme(path: string): string {
  return path.replace(/^file:(?:\/\/[^/]*)?/i, "");
}

function upToNul(path: string): string {
  const end = path.indexOf("\0");
  return end < 0 ? path : path.slice(0, end);
}

/** Unicode-normalised, without invisible code points; a path with too many marks stays as it is. */
export function foldLookAlikes(path: string): string {
  if (PLAIN.test(path) || TOO_MANY_MARKS.test(path)) return path;
  return path.normalize("NFKC").replace(INVISIBLE, "");
}

/** A path may be decoded more than once on its way; one that keeps changing is misleading. */
function decodePercents(text: string): { forms: string[]; isReadable: boolean } {
  const forms = [text];
  let path = text;
  for (let round = 0; path.includes("%"); round += 1) {
    const next = decodePercent(path);
    if (next === null || round === MAX_DECODINGS) return { forms, isReadable: false };
    if (next === path) break;
    forms.push(next);
    path = next;
  }
  return { forms, isReadable: true };
}

/** Decodes `%xx` once; null for invalid UTF-8, which lax decoders read in different ways. */
function decodePercent(text: string): string | null {
  try {
    return text.replace(/(?:%[0-9a-f]{2})+/gi, (run) => decodeURIComponent(run));
  } catch {
    return null;
  }
}
