// Names of participants, made of names that people have typed.

/** Names of which none is empty, in a text with commas between them. */
export function splitNames(text: string): readonly string[] {
  return text
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
}

const MAX_CHARACTERS = 64;

/**
 * A name that a participant can have: letters, digits, _ and -, other than those that are taken, to which it is added.
 */
export function participantName(text: string, taken: Set<string>): string {
  const plain = text.replaceAll(/[^\p{L}\p{N}_-]+/gu, "-").replaceAll(/^-+|-+$/g, "");
  const base = plain.slice(0, MAX_CHARACTERS - 3) || "participant";
  let name = base;
  for (let number = 2; taken.has(name); number += 1) name = `${base}-${number}`;
  taken.add(name);
  return name;
}
