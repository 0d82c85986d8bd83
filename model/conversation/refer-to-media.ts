import { parseFileAddress } from "../../protocol/file-address.ts";
import type { DataBlock } from "../../protocol/messages/blocks.ts";

const HASH_DIGITS = 32;

/** By source: a conversation is sent again and again. */
const known = new WeakMap<DataBlock["source"], string>();

/**
 * A reference that stays the same when the same media comes again: the id of a file of the platform, or a hash of data
 * or address.
 */
export async function referToMedia({ source }: DataBlock): Promise<string> {
  const found = known.get(source);
  if (found !== undefined) return found;
  const file = source.type === "url" ? parseFileAddress(source.url) : null;
  const reference =
    file?.file_id ?? (await hashOf(source.type === "url" ? source.url : source.data));
  known.set(source, reference);
  return reference;
}

async function hashOf(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  const digits = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0"));
  return `sha256:${digits.join("").slice(0, HASH_DIGITS)}`;
}
