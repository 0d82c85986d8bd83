interface NamedSession {
  /** A line of the client's own, or the first words as the platform has them. */
  readonly title: string | null;
  readonly firstWords: string | null;
  /** Words that stand beside the name: what only repeats them is no name. */
  readonly lastWords: string | null;
}

/** Name of a session: its title, else the first words of its conversation; "See the session" while neither is known. */
export function sessionName({ title, firstWords, lastWords }: NamedSession): string {
  const beside = inOneLine(lastWords ?? "");
  const name = [title, firstWords].find(
    (one) => one !== null && !beside.startsWith(inOneLine(one).replace(/…$/, "")),
  );
  return name ? `“${name}”` : "See the session";
}

function inOneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}
