// FNV-1a.

/** 32 bits as 8 hex digits: tells names and ids apart. It is no protection: texts of the same hash are easy to find. */
export function shortHash(text: string): string {
  let hash = 0x811c9dc5;
  for (const character of text) {
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  }
  return (hash >>> 0).toString(16).padStart(8, "0");
}
