// Filters of the inbox that a person has given a name. This browser keeps them, for each tenant.

export interface SavedFilter {
  readonly name: string;
  readonly values: Readonly<Record<string, string>>;
}

/** Saved filters of one tenant: as many as a row of buttons can show. */
const MAX_SAVED = 20;
const MAX_NAME_CHARACTERS = 40;

/** From what storage has; anything that is no saved filter is left out. */
export function parseSaved(text: string | null): readonly SavedFilter[] {
  try {
    const value: unknown = JSON.parse(text ?? "[]");
    return Array.isArray(value) ? value.filter(isSaved).slice(0, MAX_SAVED) : [];
  } catch {
    return [];
  }
}

function isSaved(value: unknown): value is SavedFilter {
  if (typeof value !== "object" || value === null) return false;
  const { name, values } = value as Partial<Record<keyof SavedFilter, unknown>>;
  return (
    typeof name === "string" &&
    name !== "" &&
    typeof values === "object" &&
    values !== null &&
    Object.values(values).every((one) => typeof one === "string")
  );
}

/** One of the same name is replaced. The oldest one goes where there are too many. */
export function withSaved(
  saved: readonly SavedFilter[],
  { name, values }: SavedFilter,
): readonly SavedFilter[] {
  const short = name.trim().slice(0, MAX_NAME_CHARACTERS);
  if (short === "") return saved;
  const others = saved.filter((one) => one.name !== short);
  return [...others, { name: short, values }].slice(-MAX_SAVED);
}

/** Whether these are the filters that are set. */
export function isShown({ values }: SavedFilter, shown: Readonly<Record<string, string>>): boolean {
  const names = Object.keys(values);
  return (
    names.length === Object.keys(shown).length &&
    names.every((name) => shown[name] === values[name])
  );
}
