// Matches rules of syntax `path`. A path may have several interpretations: deny and ask rules match when any of them
// fits, allow rules only when all do.
import { compileGlob } from "../patterns/glob.ts";
import { foldLookAlikes, normalizePath, type PathReadings } from "./normalize-path.ts";
import type { PathTexts } from "./path-texts.ts";
import { withoutIgnoredSuffixes, withSlashes } from "./windows-path.ts";
import { WildcardPattern } from "../patterns/wildcard-pattern.ts";

type PathTest = (readings: PathReadings) => boolean;

/**
 * For deny and ask: case-insensitive; `/secret/**` and `/secret/` match `/secret` and all below, and a leading `**`
 * followed by a slash also matches nothing. An unreadable path matches.
 */
export function restrictsPath(
  content: string,
  base: string | undefined,
  texts: PathTexts,
): PathTest {
  const folded = foldLookAlikes(content);
  const plain = withoutIgnoredSuffixes(withSlashes(folded), true);
  const forms = [...new Set([content, folded, plain])];
  const tests = forms.map((form) => restrictsAs(form, base, texts));
  return (readings) =>
    !readings.isReadable || tests.some((test) => readings.paths.some((path) => test(path)));
}

/** @param content One of the spellings of the rule's path. */
function restrictsAs(
  content: string,
  base: string | undefined,
  pathTexts: PathTexts,
): (path: string) => boolean {
  const pattern = normalizePattern(content, base);
  const isFloating = pattern.startsWith("**/");
  const isFolder = /\/(?:\*\*)?$/.test(content);
  const folder = pattern.endsWith("/**") ? pattern.slice(0, -"/**".length) : pattern;
  const whole = (isFolder ? `${folder}/*` : pattern).toLowerCase();
  // With slashes around it, a path matches `**/x` and `x/**` even where these match nothing.
  const { texts, forms } = pathTexts.between(isFloating ? "/" : "", isFolder ? "/" : "");
  const wildcards = new WildcardPattern(whole, compileGlob, texts);
  return (path) => wildcards.fits(forms.get(path) ?? path) !== "no";
}

/** For allow: exactly, in every interpretation. */
export function grantsPath(content: string, base: string | undefined, texts: PathTexts): PathTest {
  const pattern = normalizePattern(content, base);
  const wildcards = new WildcardPattern(pattern, compileGlob, texts.plain);
  const fits = (path: string): boolean => wildcards.fits(path) === "yes";
  return ({ paths, isReadable }) => isReadable && paths.every(fits);
}

/** A rule's path is normalised like the call's; one that begins with a wildcard is not resolved against `base`. */
function normalizePattern(content: string, base: string | undefined): string {
  const isFloating = /^[*?[]/.test(content);
  return normalizePath(content, isFloating ? undefined : base);
}
