const ID_BYTES = 4;

/**
 * A short id of a deployment secret's value: eight hex digits of a hash, which reveal nothing of the secret. Stored
 * with what was made with the secret, to know which value verifies or decrypts it.
 */
export async function keyIdOf(secret: string): Promise<string> {
  const text = new TextEncoder().encode(`reprise:key-id:${secret}`);
  const digest = await crypto.subtle.digest("SHA-256", text);
  return toHex(new Uint8Array(digest, 0, ID_BYTES));
}

export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
