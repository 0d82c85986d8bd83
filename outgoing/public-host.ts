// Whether a host may be on the public Internet, by its spelling alone. Where a name leads is not known here.
import { isPublicIpv4, isPublicIpv6, parseIpv4, parseIpv6 } from "./ip-address.ts";

/** Names that only a network of somebody's own gives out. */
const PRIVATE_ENDINGS = [["localhost"], ["local"], ["internal"], ["home", "arpa"]];

/** @param hostname Of a parsed `URL`: in lower case, numbers as dotted ones, IPv6 in brackets. */
export function isPublicHost(hostname: string): boolean {
  if (hostname.startsWith("[")) {
    const groups = parseIpv6(hostname);
    return groups !== null && isPublicIpv6(groups);
  }
  // Dots at the end say that the name is complete.
  const labels = hostname
    .toLowerCase()
    .split(".")
    .filter((label) => label !== "");
  const address = parseIpv4(labels.join("."));
  if (address !== null) return isPublicIpv4(address);
  // No name ends in a number.
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
