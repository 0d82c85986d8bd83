// Decides by the host name alone whether a host may be public. What a name resolves to is not known here.
import { isPublicIpv4, isPublicIpv6, parseIpv4, parseIpv6 } from "./ip-address.ts";
import { isWithin, readNames, specialNameOf } from "./special-names.ts";

const NOT_PUBLIC = "the host is private, local or reserved; use a public one";

/**
 * The reason why a host cannot be public, or null.
 * @param hostname Of a parsed `URL`: lower case, IPv4 in dotted decimal, IPv6 in brackets.
 * @param allowedNames Names that the deployment allows all the same, as `EgressRules` has them. `localhost` is none.
 */
export function findHostRefusal(hostname: string, allowedNames?: string): string | null {
  if (hostname.startsWith("[")) {
    const groups = parseIpv6(hostname);
    return groups !== null && isPublicIpv6(groups) ? null : NOT_PUBLIC;
  }
  // Final dots mark a fully qualified name.
  const labels = hostname
    .toLowerCase()
    .split(".")
    .filter((label) => label !== "");
  const address = parseIpv4(labels.join("."));
  if (address !== null) return isPublicIpv4(address) ? null : NOT_PUBLIC;
  // No public name ends in a number.
  if (labels.length === 0 || /^\d+$/.test(labels.at(-1) ?? "")) return NOT_PUBLIC;
  const special = specialNameOf(labels);
  const isAllowed = readNames(allowedNames).some((name) => isWithin(labels, name));
  if (isAllowed && special !== "localhost") return null;
  if (special !== null) {
    return `the host is private, local or reserved: the Internet has no names that end in .${special}; use a public one`;
  }
  return labels.length < 2 ? NOT_PUBLIC : null;
}

/** `localhost`, 127.0.0.0/8 and ::1. */
export function isLoopbackHost(hostname: string): boolean {
  const name = hostname.endsWith(".") ? hostname.slice(0, -1) : hostname;
  return name === "localhost" || name === "[::1]" || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(name);
}
