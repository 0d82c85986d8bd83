type Fields = Readonly<Record<string, unknown>>;

/**
 * The JSON object of an answer, whatever type it is declared as: null and empty members are left out. Null for a body
 * that is none; the answer itself can still be read.
 */
export async function looseBodyOf(response: Response): Promise<Fields | null> {
  let body: unknown;
  try {
    body = JSON.parse(await response.clone().text());
  } catch {
    return null;
  }
  if (typeof body !== "object" || body === null || Array.isArray(body)) return null;
  const isSaid = (value: unknown): boolean =>
    value !== null && value !== "" && !(Array.isArray(value) && value.length === 0);
  return Object.fromEntries(Object.entries(body).filter(([, value]) => isSaid(value)));
}
