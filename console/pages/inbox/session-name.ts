/** Name of a session: its title, else the first words of its conversation; "See the session" while neither is known. */
export function sessionName(title: string | null, firstWords: string | null): string {
  return title ?? (firstWords === null ? "See the session" : `“${firstWords}”`);
}
