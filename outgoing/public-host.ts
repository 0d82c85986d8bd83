// Decides by the host name alone whether a host may be public. What a name resolves to is not known here.
import { isPublicIpv4, isPublicIpv6, parseIpv4, parseIpv6 } from "./ip-address.ts";

/** Top-level names used in private networks only. */
const PRIVATE_ENDINGS = [["localhost"], ["local"], ["internal"], ["home", "arpa"]];

/** @param hostname Of a parsed `URL`: lower case, IPv4 in dotted decimal, IPv6 in brackets. */
export function isPublicHost(hostname: string): boolean {
  if (hostname.startsWith("[")) {
    const groups = parseIpv6(hostname);
    return groups !== null && isPublicIpv6(groups);
  }
  // Final dots mark a fully qualified name.
  const labels = hostname
    .toLowerCase()
    .split(".")
    .filter((label) => label !== "");
  const address = parseIpv4(labels.join("."));
  if (address !== null) return isPublicIpv4(address);
  // No public name ends in a number.
  if (labels.length < 2 || /^\d+$/.test(labels.at(-1) ?? "")) return false;
  return !PRIVATE_ENDINGS.some((ending) =>
    ending.every((label, index) => labels[labels.length - ending.length + index] === label),
  );
}

/** `localhost`, 127.0.0.0/8 and ::1. */
export function isLoopbackHost(hostname: string): boolean {
  const name = hostname.endsWith(".") ? hostname.slice(0, -1) : hostname;
  return name === "localhost" || name === "[::1]" || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(name);
}
