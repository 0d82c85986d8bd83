const MAX_SHOWN_CHARACTERS = 60;

/** A value from the request in a sentence: as a JSON string, in ASCII, and cut. */
export function quoteShort(text: string): string {
  const cut = text.length > MAX_SHOWN_CHARACTERS ? `${text.slice(0, MAX_SHOWN_CHARACTERS)}…` : text;
  return JSON.stringify(cut).replace(/[^ -~…]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}
