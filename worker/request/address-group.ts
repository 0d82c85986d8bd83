/** Groups of 16 bits in an IPv6 address, and those of them that the customer's network has in common. */
const GROUPS = 8;
const NETWORK_GROUPS = 4;

/** What counts as one client: an IPv4 address, or the /64 of an IPv6 address, because one customer holds all of it. */
export function addressGroup(address: string): string {
  if (!address.includes(":")) return address;
  // ::ffff:192.0.2.1 is an IPv4 address in the other's clothes.
  if (address.includes(".")) return address.slice(address.lastIndexOf(":") + 1);
  const [head = [], tail] = address.split("::").map((half) => (half === "" ? [] : half.split(":")));
  const missing = tail ? GROUPS - head.length - tail.length : 0;
  const groups = [...head, ...Array<string>(Math.max(0, missing)).fill("0"), ...(tail ?? [])];
  return groups
    .slice(0, NETWORK_GROUPS)
    .map((group) => group.toLowerCase().replace(/^0+(?=.)/, ""))
    .join(":");
}
