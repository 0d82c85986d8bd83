// Closes JSON that was cut off, in one pass over the text: models are cut off at their token limit, so long inputs are
// mostly right up to their end.

/**
 * @returns The text up to the last complete value, a string up to where it breaks off, with all open brackets closed;
 *   null when none is open. The result is not checked: errors before the end remain.
 */
export function closeJson(text: string): string | null {
  const closing: string[] = [];
  /** The end of the last place after which a closing bracket may follow. */
  let end = 0;
  /** Whether a value is expected or under way, rather than an object's member name. */
  let isValue = true;
  let at = 0;
  while (at < text.length) {
    const character = text[at] ?? "";
    if (character === '"') {
      const close = endOfString(text, at);
      if (close < 0) return isValue ? finish(`${wholeCharacters(text)}"`) : finish(upToEnd());
      at = close;
      if (isValue) end = at;
    } else if (character === "{" || character === "[") {
      closing.push(character === "{" ? "}" : "]");
      isValue = character === "[";
      at += 1;
      end = at;
    } else if (character === "}" || character === "]") {
      closing.pop();
      at += 1;
      end = at;
    } else if (character === ",") {
      isValue = closing.at(-1) === "]";
      at += 1;
    } else if (character === ":") {
      isValue = true;
      at += 1;
    } else if (/\s/.test(character)) {
      at += 1;
    } else {
      at = endOfWord(text, at);
      // A number at the end may be incomplete, and so may a literal.
      if (at < text.length) end = at;
    }
  }
  return finish(upToEnd());

  function upToEnd(): string {
    return text.slice(0, end);
  }

  function finish(start: string): string | null {
    return closing.length === 0 ? null : start + closing.reverse().join("");
  }
}

/** The index after the closing quote, or -1. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === "\\") at += 1;
    else if (text[at] === '"') return at + 1;
  }
  return -1;
}

function endOfWord(text: string, start: number): number {
  let at = start;
  while (at < text.length && !'"{}[],:'.includes(text[at] ?? "") && !/\s/.test(text[at] ?? "")) {
    at += 1;
  }
  return at;
}

/** Removes an incomplete escape or surrogate pair at the end. */
function wholeCharacters(text: string): string {
  const tail = text.slice(-12);
  const escape =
    /(?<!\\)(?:\\\\)*(\\(?:u[0-9a-fA-F]{0,3}|u[dD][89abAB][0-9a-fA-F]{2}(?:\\(?:u[0-9a-fA-F]{0,3})?)?)?)$/.exec(
      tail,
    );
  const cut = escape?.[1]?.length ?? 0;
  const kept = text.slice(0, text.length - cut);
  return /[\ud800-\udbff]$/.test(kept) ? kept.slice(0, -1) : kept;
}
