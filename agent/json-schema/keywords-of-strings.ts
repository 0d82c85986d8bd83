// Keywords of strings.
import { fitsFormat } from "./fits-format.ts";
import type { Keyword } from "./keyword.ts";
import { numberOf, textOf } from "./keyword-values.ts";
import { shorten } from "./quote.ts";
import type { Visit } from "./visit.ts";

const CHARACTERS_A_STEP = 8;

export const KEYWORDS_OF_STRINGS: ReadonlyMap<string, Keyword<string>> = new Map<
  string,
  Keyword<string>
>([
  [
    "minLength",
    (visit, value) => {
      const least = numberOf(visit, "minLength");
      const length = countCharacters(visit, value);
      if (length < least) visit.fail(() => `has ${length} characters, and needs ${least}`);
    },
  ],
  [
    "maxLength",
    (visit, value) => {
      const most = numberOf(visit, "maxLength");
      const length = countCharacters(visit, value);
      if (length > most) visit.fail(() => `has ${length} characters, and may have ${most}`);
    },
  ],
  [
    "pattern",
    (visit, value) => {
      const pattern = textOf(visit, "pattern");
      if (!visit.checker.finds(pattern, value)) {
        visit.fail(() => `does not match the pattern ${shorten(pattern)}`);
      }
    },
  ],
  [
    "format",
    (visit, value) => {
      const { format } = visit.schema;
      if (typeof format === "string" && !fitsFormat(format, value, visit.checker)) {
        visit.fail(() => `is no ${format}`);
      }
    },
  ],
]);

/** Counts code points, not UTF-16 units. */
function countCharacters(visit: Visit, text: string): number {
  visit.spend(text.length / CHARACTERS_A_STEP);
  let count = text.length;
  for (let at = 0; at < text.length; at += 1) {
    if ((text.codePointAt(at) ?? 0) <= 0xffff) continue;
    count -= 1;
    at += 1;
  }
  return count;
}
