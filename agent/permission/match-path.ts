// Rules of syntax `path`. Deny and ask rules match when any meaning of the path fits, allow rules only when all do.
import { compileGlob, isRuledOut, matchGlob, toCodePoints, type Glob } from "./glob.ts";
import { foldLookAlikes, normalizePath, type PathReadings } from "./normalize-path.ts";

type PathTest = (readings: PathReadings) => boolean;

/**
 * For deny and ask: without regard to case; `/secret/**` and `/secret/` are about `/secret` and all below, and a
 * leading `**` followed by a slash may stand for nothing. What cannot be read matches.
 */
export function restrictsPath(content: string, base: string | undefined): PathTest {
  const folded = foldLookAlikes(content);
  const forms = folded === content ? [content] : [content, folded];
  const tests = forms.map((form) => restrictsAs(form, base));
  return (readings) =>
    !readings.isReadable || tests.some((test) => readings.paths.some((path) => test(path)));
}

/** @param content In one of the forms in which a name may be written. */
function restrictsAs(content: string, base: string | undefined): (path: string) => boolean {
  const pattern = normalizePattern(content, base);
  const isFloating = pattern.startsWith("**/");
  const isFolder = /\/(?:\*\*)?$/.test(content);
  const folder = pattern.endsWith("/**") ? pattern.slice(0, -"/**".length) : pattern;
  const whole = (isFolder ? `${folder}/*` : pattern).toLowerCase();
  let glob: Glob | null = null;
  return (path) => {
    // With slashes around it, a path fits `**/x` and `x/**` even where these stand for nothing.
    const text = `${isFloating ? "/" : ""}${path}${isFolder ? "/" : ""}`.toLowerCase();
    if (isRuledOut(whole, text)) return false;
    glob ??= compileGlob(whole);
    return matchGlob(glob, toCodePoints(text)) !== "no";
  };
}

/** For allow: exactly, in every meaning. */
export function grantsPath(content: string, base: string | undefined): PathTest {
  const pattern = normalizePattern(content, base);
  let glob: Glob | null = null;
  const fits = (path: string): boolean => {
    if (isRuledOut(pattern, path)) return false;
    glob ??= compileGlob(pattern);
    return matchGlob(glob, toCodePoints(path)) === "yes";
  };
  return ({ paths, isReadable }) => isReadable && paths.every(fits);
}

/** A rule's path is normalised as the call's is; one that begins with a wildcard begins anywhere. */
function normalizePattern(content: string, base: string | undefined): string {
  const isFloating = /^[*?[]/.test(content);
  return normalizePath(content, isFloating ? undefined : base);
}
