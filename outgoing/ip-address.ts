// Parses IP addresses as normalised by `URL`, and tells whether they are public. `URL` has already converted decimal,
// octal, hexadecimal and short forms.

/** Blocks that are not public: IANA's special-purpose address registry for IPv4, and cloud metadata addresses. */
const SPECIAL_BLOCKS: readonly (readonly [address: string, prefixBits: number])[] = [
  ["0.0.0.0", 8], // this network
  ["10.0.0.0", 8], // private
  ["100.64.0.0", 10], // behind a carrier's NAT; Alibaba's metadata
  ["127.0.0.0", 8], // loopback
  ["168.63.129.16", 32], // Azure's own services for a machine: a public address that is not
  ["169.254.0.0", 16], // link-local; the metadata of most clouds
  ["172.16.0.0", 12], // private
  ["192.0.0.0", 24], // protocols; Oracle's metadata
  ["192.0.2.0", 24], // documentation
  ["192.88.99.0", 24], // relays of 6to4
  ["192.168.0.0", 16], // private
  ["198.18.0.0", 15], // measurements
  ["198.51.100.0", 24], // documentation
  ["203.0.113.0", 24], // documentation
  ["224.0.0.0", 4], // multicast
  ["240.0.0.0", 4], // reserved, broadcast
];
const BLOCKS = SPECIAL_BLOCKS.map(([address, bits]) => {
  const shift = 32 - bits;
  return { shift, prefix: toNumber(address.split(".").map(Number)) >>> shift };
});

/** Parses dotted decimal; null for anything else. */
export function parseIpv4(hostname: string): number | null {
  if (!/^\d{1,3}(?:\.\d{1,3}){3}$/.test(hostname)) return null;
  const bytes = hostname.split(".").map(Number);
  return bytes.every((byte) => byte <= 255) ? toNumber(bytes) : null;
}

/** The eight groups of an IPv6 address in brackets; null for anything else. */
export function parseIpv6(hostname: string): readonly number[] | null {
  if (!/^\[[0-9a-f:]+\]$/i.test(hostname)) return null;
  const [head = "", tail, more] = hostname.slice(1, -1).split("::");
  const first = readGroups(head);
  const last = readGroups(tail ?? "");
  const zeros = tail === undefined ? 0 : 8 - first.length - last.length;
  const groups = [...first, ...Array.from({ length: Math.max(0, zeros) }, () => 0), ...last];
  const isWhole = more === undefined && groups.every((group) => group <= 0xffff);
  return isWhole && groups.length === 8 ? groups : null;
}

export function isPublicIpv4(address: number): boolean {
  return !BLOCKS.some(({ shift, prefix }) => address >>> shift === prefix);
}

/** Global unicast except special-purpose blocks; for an address that embeds an IPv4 address, that one decides. */
export function isPublicIpv6(groups: readonly number[]): boolean {
  const [first = 0, second = 0, third = 0] = groups;
  const startsWith = (...prefix: readonly number[]): boolean =>
    prefix.every((group, index) => groups[index] === group);
  const isMapped = startsWith(0, 0, 0, 0, 0, 0xffff);
  const isNat64 = startsWith(0x64, 0xff9b, 0, 0, 0, 0);
  if (isMapped || isNat64) return isPublicIpv4(joinGroups(groups[6] ?? 0, groups[7] ?? 0));
  const is6to4 = first === 0x2002;
  if (is6to4) return isPublicIpv4(joinGroups(second, third));
  // IETF protocol assignments, including Teredo, which can reach any IPv4 address.
  const isProtocols = first === 0x2001 && second < 0x200;
  const isDocumentation = startsWith(0x2001, 0xdb8) || (first === 0x3fff && second < 0x1000);
  return first >>> 13 === 1 && !isProtocols && !isDocumentation;
}

function readGroups(text: string): readonly number[] {
  return text === "" ? [] : text.split(":").map((group) => Number.parseInt(group, 16));
}

function joinGroups(high: number, low: number): number {
  return ((high << 16) | low) >>> 0;
}

function toNumber(bytes: readonly number[]): number {
  return bytes.reduce((number, byte) => ((number << 8) | byte) >>> 0, 0);
}
