// The policy under which a browser shows the page of an MCP server. What the server declares can only open what is closed
// without it, and only for origins: everything that is none is dropped, so no directive can be smuggled in.
import { MAX_MCP_UI_ORIGINS_CHARACTERS } from "../../protocol/mcp/limits.ts";
import { isJsonObject } from "../../protocol/json-object.ts";

type OriginList = "resourceDomains" | "connectDomains" | "frameDomains" | "baseUriDomains";

/** Each feature of a browser that a page may ask for, by its name in MCP Apps. */
const FEATURES = {
  camera: "camera",
  microphone: "microphone",
  geolocation: "geolocation",
  clipboardWrite: "clipboard-write",
} as const;

const LABEL = "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?";
const HOST = `${LABEL}(?:\\.${LABEL})*`;
/** Any subdomain of a name with two labels: `*.com` is everybody. */
const WILDCARD = `\\*(?:\\.${LABEL}){2,}`;
const PORT = "(?::[0-9]{1,5})?";
/** Without TLS on the machine itself alone, for servers that are being written. */
const ORIGIN = new RegExp(
  `^(?:(?:https|wss)://(?:${HOST}|${WILDCARD})|(?:http|ws)://(?:localhost|127\\.0\\.0\\.1))${PORT}$`,
);

/**
 * `Content-Security-Policy` of a page. Its origin is opaque, so it has none of the rights of the host that it comes from, and
 * `'self'` is left out: what the page needs is in it, or declared.
 * @param csp As the server declares it.
 */
export function uiContentPolicy(csp: unknown): string {
  const declared = declaredOrigins(csp);
  const resources = declared.resourceDomains;
  const scripts = ["'unsafe-inline'", ...resources];
  const media = ["data:", "blob:", ...resources];
  return [
    "sandbox allow-scripts allow-forms",
    "default-src 'none'",
    directive("script-src", scripts),
    directive("style-src", scripts),
    directive("img-src", media),
    directive("font-src", ["data:", ...resources]),
    directive("media-src", media),
    directive("connect-src", declared.connectDomains),
    directive("frame-src", declared.frameDomains),
    directive("base-uri", declared.baseUriDomains),
    "object-src 'none'",
    "form-action 'none'",
  ].join("; ");
}

/** The origins that a server declares, without everything that is none. */
export function declaredOrigins(csp: unknown): Readonly<Record<OriginList, readonly string[]>> {
  const declared = isJsonObject(csp) ? csp : {};
  return {
    resourceDomains: originsOf(declared["resourceDomains"]),
    connectDomains: originsOf(declared["connectDomains"]),
    frameDomains: originsOf(declared["frameDomains"]),
    baseUriDomains: originsOf(declared["baseUriDomains"]),
  };
}

/** `Permissions-Policy` of a page: what it does not ask for is closed. @param permissions As the server declares them. */
export function uiPermissionsPolicy(permissions: unknown): string {
  const declared = isJsonObject(permissions) ? permissions : {};
  return Object.entries(FEATURES)
    .map(([name, feature]) => `${feature}=${isJsonObject(declared[name]) ? "*" : "()"}`)
    .join(", ");
}

function directive(name: string, sources: readonly string[]): string {
  return `${name} ${sources.length === 0 ? "'none'" : sources.join(" ")}`;
}

function originsOf(listed: unknown): readonly string[] {
  const origins = new Set<string>();
  let room = MAX_MCP_UI_ORIGINS_CHARACTERS;
  for (const one of Array.isArray(listed) ? (listed as readonly unknown[]) : []) {
    if (typeof one !== "string" || one.length > room) continue;
    const origin = one.toLowerCase().replace(/\/$/, "");
    if (!ORIGIN.test(origin) || origins.has(origin)) continue;
    origins.add(origin);
    room -= origin.length + 1;
    if (room <= 0) break;
  }
  return [...origins];
}
