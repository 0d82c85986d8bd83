type Parsed =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly problem: string };

/** JSON of a text that a person types; undefined for an empty one where that is allowed. The problem names the line. */
export function parseJsonText(text: string, isOptional: boolean): Parsed {
  if (text.trim() === "" && isOptional) return { ok: true, value: undefined };
  try {
    return { ok: true, value: JSON.parse(text) as unknown };
  } catch (error) {
    return { ok: false, problem: `This is not JSON${placeOf(error, text)}.` };
  }
}

/** Engines name the position in words of their own; some name none, such as at the end of the text. */
function placeOf(error: unknown, text: string): string {
  const message = error instanceof Error ? error.message : "";
  const position = /position (\d+)/.exec(message)?.[1];
  if (position !== undefined) {
    return `: line ${text.slice(0, Number(position)).split("\n").length}`;
  }
  return /end of/i.test(message) ? ": it ends too early" : "";
}
