// Defaults for ids and times. `Math.random` and `Date` suffice: the values label blocks and events and protect nothing.

/** A new identifier in AgentScope's default format: 32 lower-case hex digits, UUIDv4 bits. */
export function generateId(): string {
  let digits = "";
  for (let index = 0; index < 32; index += 1) {
    const nibble = index === 12 ? 4 : Math.floor(Math.random() * 16);
    digits += (index === 16 ? (nibble & 3) | 8 : nibble).toString(16);
  }
  return digits;
}

/** The current time as UTC ISO 8601 with milliseconds and `Z`. */
export function currentTimestamp(): string {
  return new Date().toISOString();
}
