// The form in which two memories are compared: words and signs without case, accents and punctuation. Pure.
import { runsOf } from "../../protocol/search/search-terms.ts";

export interface Word {
  readonly text: string;
  /** Of a script without spaces: one character. */
  readonly isSign: boolean;
}

/** Words without which a statement says the same. */
const FILLERS: ReadonlySet<string> = new Set(
  "the now currently actually also please s der die das den dem ein eine einen jetzt nun aktuell derzeit ubrigens bitte".split(
    " ",
  ),
);

/** Words that turn a statement into its opposite. */
const NEGATIONS: ReadonlySet<string> = new Set(
  "not no never longer anymore dont doesnt isnt wasnt cannot without t nicht kein keine keinen nie niemals mehr ohne 不 没 無 非 未".split(
    " ",
  ),
);

export function comparableWords(text: string): readonly Word[] {
  return runsOf(text)
    .flatMap(({ text: run, isUnspaced }): readonly Word[] =>
      isUnspaced
        ? Array.from(run, (sign) => ({ text: sign, isSign: true }))
        : [{ text: run, isSign: false }],
    )
    .filter(({ text: word }) => !FILLERS.has(word));
}

/** The words as one text: signs stand beside each other. */
export function joinWords(words: readonly Word[]): string {
  let text = "";
  let isAfterSign = true;
  for (const { text: word, isSign } of words) {
    text += text === "" || (isAfterSign && isSign) ? word : ` ${word}`;
    isAfterSign = isSign;
  }
  return text;
}

export function isNegation({ text }: Word): boolean {
  return NEGATIONS.has(text);
}
