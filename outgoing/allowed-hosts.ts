// The hosts that a secret may be sent to. Both sides are compared as `URL` reads them, never as they are spelled.

const ENTRY = /^(\*\.)?(\[[\da-f:.]+\]|[^\s/@?#\\%*:[\]]+)(?::(\d{1,5}))?$/i;
const USUAL_PORTS: Readonly<Record<string, string>> = { "https:": "443", "http:": "80" };

/**
 * A host of a credential as it is stored: in lower case, names of other scripts in punycode, no dot at its end.
 * Null for what is no host. `*.` takes the place of the first label, with two behind it at least.
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

/** @param allowed As {@link normalizeAllowedHost} makes them; null allows every host. */
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

/** An address's host and port, for people; the address itself when it is none. */
export function hostOf(address: string): string {
  return parse(address)?.host ?? address;
}

/** One dot says that the name is complete: it leads to the same place. */
function withoutDot(hostname: string): string {
  return hostname.endsWith(".") ? hostname.slice(0, -1) : hostname;
}

function parse(address: string): URL | null {
  return URL.canParse(address) ? new URL(address) : null;
}
