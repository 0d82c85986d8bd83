import { toHex } from "../../storage/secrets/key-id.ts";

/** Where a reader is, and who it is: they differ when the same stream is asked for again. */
const OWN_TO_A_REQUEST = ["after", "token"];

/**
 * The same text for the same stream, in whatever order its query stands.
 * @returns a hash, so that tickets for long addresses are short.
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
