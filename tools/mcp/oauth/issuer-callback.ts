/**
 * Address of the platform's own for one issuer. A client that the platform registers comes back there alone, so that a code
 * of another issuer is not taken for this one's (RFC 9700, section 4.4.2.2).
 * @param callback The address that all issuers share.
 */
export async function issuerCallback(callback: string, issuer: string): Promise<string> {
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(issuer));
  const hex = Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, "0"));
  return `${callback}/${hex.join("")}`;
}
