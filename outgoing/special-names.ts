/**
 * Host names that the public Internet does not have, each with all names below it: the special-use names of IANA, and
 * names that private networks use.
 */
export const SPECIAL_NAMES = [
  // https://www.iana.org/assignments/special-use-domain-names
  "test",
  "invalid",
  "example",
  "onion",
  "alt",
  "local",
  "localhost",
  "internal",
  "home.arpa",
  // Of private networks and clusters.
  "lan",
  "home",
  "corp",
  "mail",
  "intranet",
  "private",
  "svc",
  "cluster.local",
] as const;

/** The longest special name that a host is, or is below; null for none. @param labels Of the host, in lower case. */
export function specialNameOf(labels: readonly string[]): string | null {
  const found = SPECIAL_NAMES.filter((name) => isWithin(labels, name));
  return found.toSorted((one, other) => other.length - one.length)[0] ?? null;
}

/** The names of a configured list, without dots at their ends. */
export function readNames(list: string | undefined): readonly string[] {
  return (list ?? "")
    .split(",")
    .map((name) =>
      name
        .trim()
        .toLowerCase()
        .replace(/^\*?\./, "")
        .replace(/\.$/, ""),
    )
    .filter((name) => name !== "");
}

export function isWithin(labels: readonly string[], name: string): boolean {
  const ending = name.split(".");
  return ending.every((label, index) => labels[labels.length - ending.length + index] === label);
}
