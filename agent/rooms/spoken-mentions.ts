/**
 * Names that are words of what a person has said aloud, whatever their case: nobody says an `@`. In the order of the names.
 * @param names Of those who may be named.
 */
export function spokenMentions(text: string, names: readonly string[]): readonly string[] {
  const words = new Set(
    text
      .normalize("NFC")
      .toLowerCase()
      .split(/[^\p{L}\p{M}\p{N}_-]+/u),
  );
  return names.filter((name) => words.has(name.toLowerCase()));
}
