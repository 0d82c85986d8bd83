// Matches a URL against the hosts that a secret may be sent to. Both are compared as parsed by `URL`, not as text.

const ENTRY = /^(\*\.)?(\[[\da-f:.]+\]|[^\s/@?#\\%*:[\]]+)(?::(\d{1,5}))?$/i;
const USUAL_PORTS: Readonly<Record<string, string>> = { "https:": "443", "http:": "80" };

/**
 * Normalises a host of a credential for storage: lower case, punycode, no final dot. Null for an invalid host. `*.` may
 * replace the first label, followed by at least two labels.
 */
export function normalizeAllowedHost(entry: string): string | null {
  const [, wildcard = "", host = "", port] = ENTRY.exec(entry) ?? [];
  const url = parse(`https://${host}/`);
  if (!url || url.pathname !== "/" || url.port !== "" || url.username !== "") return null;
  const name = withoutDot(url.hostname);
  if (name === "" || name.startsWith(".") || name.endsWith(".")) return null;
  if (port !== undefined && (Number(port) === 0 || Number(port) > 65_535)) return null;
  const isName = !name.startsWith("[") && !/(?:^|\.)\d+$/.test(name);
  if (wildcard && !(isName && name.includes("."))) return null;
  return `${wildcard}${name}${port === undefined ? "" : `:${Number(port)}`}`;
}

/** @param allowed Normalised by {@link normalizeAllowedHost}; null allows every host. */
export function isHostAllowed(address: string, allowed: readonly string[] | null): boolean {
  if (allowed === null) return true;
  const url = parse(address);
  if (!url) return false;
  const name = withoutDot(url.hostname);
  const port = url.port === "" ? USUAL_PORTS[url.protocol] : url.port;
  return allowed.some((entry) => {
    const [, wildcard, host = "", ownPort] = ENTRY.exec(entry) ?? [];
    if (ownPort === undefined ? url.port !== "" : ownPort !== port) return false;
    return wildcard ? name.endsWith(`.${host}`) : name === host;
  });
}

/** Host and port of a URL, for messages; the text itself when it is no URL. */
export function hostOf(address: string): string {
  return parse(address)?.host ?? address;
}

/** Removes the final dot of a fully qualified name, which names the same host. */
function withoutDot(hostname: string): string {
  return hostname.endsWith(".") ? hostname.slice(0, -1) : hostname;
}

function parse(address: string): URL | null {
  return URL.canParse(address) ? new URL(address) : null;
}
