/** Groups of 16 bits in an IPv6 address, and in the prefix of a customer's network. */
const GROUPS = 8;
const NETWORK_GROUPS = 4;

/**
 * The rate-limit key of an address: an IPv4 address, or the /64 of an IPv6 address, because one customer has all of it.
 */
export function addressGroup(address: string): string {
  if (!address.includes(":")) return address;
  // ::ffff:192.0.2.1 is an IPv4-mapped address.
  if (address.includes(".")) return address.slice(address.lastIndexOf(":") + 1);
  const [head = [], tail] = address.split("::").map((half) => (half === "" ? [] : half.split(":")));
  const missing = tail ? GROUPS - head.length - tail.length : 0;
  const groups = [...head, ...Array<string>(Math.max(0, missing)).fill("0"), ...(tail ?? [])];
  return groups
    .slice(0, NETWORK_GROUPS)
    .map((group) => group.toLowerCase().replace(/^0+(?=.)/, ""))
    .join(":");
}
