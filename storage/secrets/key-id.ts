const ID_BYTES = 4;

/**
 * Tells a secret of the deployment from its other values: eight hex digits of a hash, so nothing of the secret. It
 * stands in what was made with the secret, so that one sees which value that takes.
 */
export async function keyIdOf(secret: string): Promise<string> {
  const text = new TextEncoder().encode(`reprise:key-id:${secret}`);
  const digest = await crypto.subtle.digest("SHA-256", text);
  return toHex(new Uint8Array(digest, 0, ID_BYTES));
}

export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
