import { toHex } from "../../storage/secrets/key-id.ts";

/** Query parameters that differ between requests for the same stream: the position and the ticket. */
const OWN_TO_A_REQUEST = ["after", "token"];

/**
 * A hash of a stream's URL, independent of the order of its query parameters.
 * @returns a hash, so that tickets for long URLs are short.
 */
export async function hashStreamAddress({ pathname, searchParams }: URL): Promise<string> {
  const query = [...searchParams].filter(([name]) => !OWN_TO_A_REQUEST.includes(name));
  query.sort(([left, a], [right, b]) => compare(left, right) || compare(a, b));
  const text = new TextEncoder().encode(JSON.stringify([pathname, query]));
  return toHex(new Uint8Array(await crypto.subtle.digest("SHA-256", text)));
}

function compare(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
