// What a producer may leave out. The language's own clock and random are enough here: these
// values label blocks and events, nobody's access hangs on them.

/** A fresh identifier of AgentScope's default shape: 32 lower-case hex digits, UUIDv4 bits. */
export function generateId(): string {
  let digits = "";
  for (let index = 0; index < 32; index += 1) {
    const nibble = index === 12 ? 4 : Math.floor(Math.random() * 16);
    digits += (index === 16 ? (nibble & 3) | 8 : nibble).toString(16);
  }
  return digits;
}

/** The present moment as UTC ISO 8601 with milliseconds and `Z`. */
export function currentTimestamp(): string {
  return new Date().toISOString();
}
