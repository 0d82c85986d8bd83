// What a path may mean to the server that opens it. Lexical: nothing here can see links.
import { withoutCutOffs, withSlashes } from "./windows-path.ts";

/** Marks that nobody sees; some file systems ignore them in a name. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;
/** Unicode's own bound for streams; sorting a longer run of marks takes quadratic time. */
const TOO_MANY_MARKS = /\p{M}{31}/u;
const PERCENT_LOOK_ALIKE = /[\uff05\ufe6a]/;
const PLAIN = /^[\x20-\x7e]*$/;
const MAX_DECODINGS = 3;
/** No system opens a longer path. */
export const MAX_PATH_CHARACTERS = 32_767;

export interface PathReadings {
  /** Every meaning, normalised, the plain one first. */
  readonly paths: readonly string[];
  /** False for a path that was made to be misread; what is in `paths` is then not all of it. */
  readonly isReadable: boolean;
}

/**
 * Resolves `.`, `..` and repeated slashes. A relative path begins at `base` when there is one; without one it stays
 * relative, and keeps the `..` that lead out of it. `~` and `~name` count as roots, since nobody here knows where
 * they lead. Idempotent.
 */
export function normalizePath(path: string, base: string | undefined): string {
  const isRooted = path.startsWith("/") || path.startsWith("~");
  const full = isRooted || base === undefined ? path : `${base}/${path}`;
  // Most that is not in order is repeated slashes and dots: taken out in one go.
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
 * The path as it stands, and as a server may read it that takes `\` for `/`, decodes percent signs, strips
 * `file://`, stops at a NUL, folds look-alike characters, or opens it on a drive of Windows.
 */
export function readPath(text: string, base: string | undefined): PathReadings {
  if (text.length > MAX_PATH_CHARACTERS) return { paths: [], isReadable: false };
  const decoded = decodePercents(text);
  const isReadable = decoded.isReadable && !decoded.forms.some(isMisleading);
  const alternatives = [withoutScheme, upToNul, foldLookAlikes, withSlashes, withoutCutOffs];
  let forms = decoded.forms;
  for (const alternative of alternatives) {
    forms = [...new Set(forms.flatMap((form) => [form, alternative(form)]))];
  }
  return { paths: [...new Set(forms.map((form) => normalizePath(form, base)))], isReadable };
}

/** Percent signs that come to be by folding might be decoded after that. */
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

/** In one form of accents, without what nobody sees; a path with too many marks stays as it is. */
export function foldLookAlikes(path: string): string {
  if (PLAIN.test(path) || TOO_MANY_MARKS.test(path)) return path;
  return path.normalize("NFKC").replace(INVISIBLE, "");
}

/** A path may be decoded more than once on its way; one that goes on changing is no honest path. */
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

/** One pass over `%xx`; null for bytes that are no UTF-8, which lax decoders read in ways of their own. */
function decodePercent(text: string): string | null {
  try {
    return text.replace(/(?:%[0-9a-f]{2})+/gi, (run) => decodeURIComponent(run));
  } catch {
    return null;
  }
}
