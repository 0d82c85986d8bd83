// Graphemes: what a reader takes for one character, such as a letter with its accents or a flag.

const GRAPHEMES = new Intl.Segmenter("en", { granularity: "grapheme" });
/** UTF-16 units that are looked at around a place: more than the longest emoji has. */
const WINDOW = 64;

/** Whether a grapheme begins at the index; so it is at the beginning and the end of a text. */
function isGraphemeStart(text: string, index: number): boolean {
  if (index <= 0 || index >= text.length) return true;
  const from = Math.max(0, index - WINDOW);
  const segments = GRAPHEMES.segment(text.slice(from, index + WINDOW));
  return segments.containing(index - from)?.index === index - from;
}

/** The nearest beginning of a grapheme at or before the index. */
export function graphemeStart(text: string, index: number): number {
  let start = Math.min(index, text.length);
  while (!isGraphemeStart(text, start)) start -= 1;
  return start;
}
