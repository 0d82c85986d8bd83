// Rules of syntax `path`. Deny and ask rules match when any meaning of the path fits, allow rules only when all do.
import { compileGlob, matchGlob, toCodePoints } from "./glob.ts";
import { normalizePath, type PathReadings } from "./normalize-path.ts";

/**
 * For deny and ask: without regard to case; `/secret/**` and `/secret/` are about `/secret` and all below, and a
 * leading `**` followed by a slash may stand for nothing. What cannot be read matches.
 */
export function restrictsPath(
  content: string,
  readings: PathReadings,
  base: string | undefined,
): boolean {
  if (!readings.isReadable) return true;
  const pattern = normalizePattern(content, base);
  const isFloating = pattern.startsWith("**/");
  const isFolder = /\/(?:\*\*)?$/.test(content);
  const folder = pattern.endsWith("/**") ? pattern.slice(0, -"/**".length) : pattern;
  const glob = compileGlob((isFolder ? `${folder}/*` : pattern).toLowerCase());
  return readings.paths.some((path) => {
    // With slashes around it, a path fits `**/x` and `x/**` even where these stand for nothing.
    const text = `${isFloating ? "/" : ""}${path}${isFolder ? "/" : ""}`;
    return matchGlob(glob, toCodePoints(text.toLowerCase())) !== "no";
  });
}

/** For allow: exactly, in every meaning. */
export function grantsPath(
  content: string,
  readings: PathReadings,
  base: string | undefined,
): boolean {
  if (!readings.isReadable) return false;
  const pattern = compileGlob(normalizePattern(content, base));
  return readings.paths.every((path) => matchGlob(pattern, toCodePoints(path)) === "yes");
}

/** A rule's path is normalised as the call's is; one that begins with a wildcard begins anywhere. */
function normalizePattern(content: string, base: string | undefined): string {
  const isFloating = /^[*?[]/.test(content);
  return normalizePath(content, isFloating ? undefined : base);
}
