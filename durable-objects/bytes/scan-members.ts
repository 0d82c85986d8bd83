// Finds the members of a JSON object in a stream of its text: for values that are too large to be parsed.

/** The structural characters outside of a string, and those that end or escape inside of one. */
const STRUCTURE = /["{}[\],:]/g;
const TEXT_END = /["\\]/g;

/**
 * @param pieces Of the JSON text of one object, cut anywhere.
 * @returns The JSON text of each of its own members that has at most so many characters.
 */
export function scanMembers(
  pieces: Iterable<string>,
  maxCharacters: number,
): ReadonlyMap<string, string> {
  const members = new Map<string, string>();
  let depth = 0;
  let isInText = false;
  let isEscaped = false;
  let name = "";
  let value = "";
  let isTooLong = false;

  for (const piece of pieces) scanPiece(piece);
  return members;

  function scanPiece(piece: string): void {
    let at = 0;
    /** The first character that is not kept yet. */
    let from = 0;
    while (at < piece.length) {
      if (isEscaped) {
        isEscaped = false;
        at += 1;
        continue;
      }
      const pattern = isInText ? TEXT_END : STRUCTURE;
      pattern.lastIndex = at;
      const found = pattern.exec(piece);
      if (!found) break;
      at = found.index + 1;
      const [character] = found;
      if (character === "\\") isEscaped = true;
      else if (character === '"') isInText = !isInText;
      else if (character === "{" || character === "[") depth += 1;
      else if (character === "}" || character === "]") depth -= 1;
      if (isInText || character === "\\") continue;
      if (depth === 1 && character === ":") {
        keep(piece.slice(from, found.index));
        name = isTooLong ? "" : (JSON.parse(value) as string);
        begin(at);
      } else if ((depth === 1 && character === ",") || depth === 0) {
        keep(piece.slice(from, found.index));
        if (!isTooLong && name !== "") members.set(name, value);
        name = "";
        begin(at);
      } else if (depth === 1 && character === "{" && name === "") begin(at);
    }
    keep(piece.slice(from));

    function begin(next: number): void {
      from = next;
      value = "";
      isTooLong = false;
    }
  }

  function keep(text: string): void {
    isTooLong ||= value.length + text.length > maxCharacters;
    value = isTooLong ? "" : value + text;
  }
}
