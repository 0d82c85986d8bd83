// The challenge of a resource server, in `WWW-Authenticate` of its refusal (RFC 6750, RFC 9728).

/** A parameter of a `WWW-Authenticate: Bearer` header; null when it is not there. */
export function parameterOf(challenge: string | null, name: string): string | null {
  const value = String.raw`(?:"([^"]{1,2000})"|([^\s,"]{1,2000}))`;
  const found = challenge?.match(new RegExp(String.raw`(?:^|[\s,])${name}\s?=\s?${value}`, "i"));
  return found?.[1] ?? found?.[2] ?? null;
}

/** The parts of a `scope` (RFC 6749, section 3.3); none of null. */
export function partsOf(scope: string | null | undefined): readonly string[] {
  return (scope ?? "").split(" ").filter((one) => one !== "");
}

/** The server has known the grant, and found that it allows too little. */
export function wantsMore(challenge: string | null): boolean {
  return parameterOf(challenge, "error") === "insufficient_scope";
}

/** The grant allows too little: a person has to allow more. */
export function isOfTooLittle(status: number, challenge: string | null): boolean {
  return status === 403 && wantsMore(challenge);
}
