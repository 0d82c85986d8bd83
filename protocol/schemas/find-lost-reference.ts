type Fields = Readonly<Record<string, unknown>>;

/** Keywords by which a schema names itself, so that references may lead to other places than their pointer's. */
const NAMES = ["$id", "id", "$anchor", "$dynamicAnchor"];

/**
 * The first reference of a tool's schema that leads nowhere, or null. Only where no schema names itself: there each
 * reference is a pointer into the whole.
 * @param schemas The schemas within, by their own pointer.
 */
export function findLostReference(
  whole: Fields,
  schemas: ReadonlyMap<string, Fields>,
): string | null {
  const inner = [...schemas.values()];
  if (inner.some((schema) => NAMES.some((name) => typeof schema[name] === "string"))) return null;
  for (const [pointer, { $ref: reference }] of schemas) {
    if (typeof reference !== "string" || reference === "") continue;
    if (!leadsSomewhere(whole, reference)) {
      return `${pointer}/$ref: there is no schema at ${reference.slice(0, 100)}`;
    }
  }
  return null;
}

function leadsSomewhere(whole: Fields, reference: string): boolean {
  if (!reference.startsWith("#")) return false;
  const [first, ...steps] = decode(reference.slice(1)).split("/");
  if (first !== "") return false;
  let found: unknown = whole;
  for (const step of steps) {
    const name = step.replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, name)) return false;
    found = (found as Fields)[name];
  }
  return typeof found === "boolean" || (typeof found === "object" && found !== null);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
