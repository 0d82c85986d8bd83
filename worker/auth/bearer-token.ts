/** The credential in the header `Authorization`; undefined for none, and for one of another scheme. */
export function bearerToken(header: string | undefined): string | undefined {
  return /^Bearer +(\S+) *$/i.exec(header ?? "")?.[1];
}
