// The choice among a card's security schemes: one by which a definition's one credential can be sent.
import type { A2aSecurityScheme } from "../../protocol/a2a/wire.ts";
import type { RemoteAgent } from "../../protocol/a2a/remote-agent.ts";
import type { ResolvedCard } from "../cards/resolved-card.ts";

/** The place of the secret in a request. */
export type ChosenScheme =
  | { readonly type: "header" | "query" | "cookie"; readonly name: string }
  | { readonly type: "bearer" | "basic" }
  /** `token`: where it is got; an address of OpenID Connect has the metadata that names it. */
  | {
      readonly type: "client_credentials";
      readonly token: { readonly endpoint: string } | { readonly metadata: string };
      readonly scope: string;
    };

export type SchemeChoice =
  | { readonly ok: true; readonly scheme: ChosenScheme }
  /** A sentence. */
  | { readonly ok: false; readonly reason: string };

/** A card without schemes that is given a credential all the same gets it as `Authorization: Bearer`. */
export function chooseScheme(
  card: Pick<ResolvedCard, "securitySchemes" | "securityRequirements">,
  agent: Pick<RemoteAgent, "security_scheme" | "oauth">,
): SchemeChoice {
  const { securitySchemes, securityRequirements } = card;
  const { security_scheme: wanted } = agent;
  // One credential cannot meet what needs two schemes at once.
  const single = securityRequirements
    .map(({ schemes }) => Object.entries(schemes))
    .filter(({ length }) => length === 1)
    .flatMap(([only]) => (only ? [{ name: only[0], scopes: only[1].list ?? [] }] : []));
  const needed = securityRequirements.filter(({ schemes }) => Object.keys(schemes).length > 0);
  const listed =
    needed.length > 0
      ? single
      : Object.keys(securitySchemes).map((name) => ({ name, scopes: [] as readonly string[] }));
  if (listed.length === 0 && wanted === undefined && needed.length === 0) {
    return { ok: true, scheme: { type: "bearer" } };
  }
  for (const { name, scopes } of listed) {
    if (wanted !== undefined && name !== wanted) continue;
    const scheme = Object.hasOwn(securitySchemes, name) ? securitySchemes[name] : undefined;
    const usable = scheme && usableScheme(scheme, scopes, agent);
    if (usable) return { ok: true, scheme: usable };
  }
  return { ok: false, reason: refusal(wanted) };
}

function refusal(wanted: string | undefined): string {
  return wanted === undefined
    ? "The card asks for no scheme that the credential can be sent by: an API key, a bearer token, Basic, or client credentials of OAuth."
    : `The card asks for no scheme ${wanted} that the credential can be sent by.`;
}

function usableScheme(
  scheme: A2aSecurityScheme,
  scopes: readonly string[],
  { oauth }: Pick<RemoteAgent, "oauth">,
): ChosenScheme | null {
  const key = scheme.apiKeySecurityScheme;
  if (key) {
    const isNamed = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,100}$/.test(key.name);
    if (!isNamed || isReserved(key)) return null;
    const { location, name } = key;
    return location === "header" || location === "query" || location === "cookie"
      ? { type: location, name }
      : null;
  }
  const http = scheme.httpAuthSecurityScheme?.scheme.toLowerCase();
  if (http !== undefined) return http === "bearer" || http === "basic" ? { type: http } : null;
  const openId = scheme.openIdConnectSecurityScheme;
  const flow = scheme.oauth2SecurityScheme?.flows.clientCredentials;
  if (!openId && !scheme.oauth2SecurityScheme) return null;
  // Without a client the secret is a token that was got before.
  if (!oauth) return { type: "bearer" };
  const scope = oauth.scope ?? scopes.join(" ");
  if (openId) {
    return { type: "client_credentials", token: { metadata: openId.openIdConnectUrl }, scope };
  }
  return flow ? { type: "client_credentials", token: { endpoint: flow.tokenUrl }, scope } : null;
}

/**
 * Headers that say how the request is to be read, from where and how deep it comes, or that others log: a card must not
 * have a secret put in their place.
 */
const RESERVED = new RegExp(
  `^(?:${[
    "host|connection|content-.*|transfer-encoding|accept.*|te|upgrade|expect|range|keep-alive|trailer|date|via",
    "cookie|origin|referer|user-agent|forwarded|x-forwarded-.*|proxy-.*|sec-.*|cf-.*",
    "a2a-.*|x-a2a-.*|reprise-.*|traceparent|tracestate|baggage|last-event-id|x-http-method-override",
  ].join("|")})$`,
  "i",
);

function isReserved({
  location,
  name,
}: {
  readonly location: string;
  readonly name: string;
}): boolean {
  return location === "header" && RESERVED.test(name);
}
