// Metadata of an OpenID provider, as it publishes them (OpenID Connect Discovery 1.0).
import { looseBodyOf } from "../../outgoing/oauth/loose-body.ts";
import type { OutgoingFetch } from "../../outgoing/outgoing.ts";
import {
  MAX_CACHED_PROVIDERS,
  MAX_PROVIDER_ADDRESS_CHARACTERS,
  PROVIDER_CACHE_MS,
} from "../../protocol/sign-in-providers/limits.ts";

/** A provider's metadata, as far as a sign-in needs it. */
export interface OidcProvider {
  readonly issuer: string;
  readonly authorization_endpoint: string;
  readonly token_endpoint: string;
  readonly jwks_uri: string;
  /** RFC 9207: its answers name it, and one without its name is not its own. */
  readonly authorization_response_iss_parameter_supported: boolean;
  /** As `client_secret_basic`; empty when it says nothing. */
  readonly token_endpoint_auth_methods_supported: readonly string[];
}

/** The reason that a provider cannot be used, as the rest of a sentence about it. */
export class ProviderFailure extends Error {
  override readonly name = "ProviderFailure";
}

/** Metadata of providers, kept in an isolate for `PROVIDER_CACHE_MS`. */
export class OidcProviders {
  readonly #known = new Map<
    string,
    { readonly provider: OidcProvider; readonly readAtMs: number }
  >();
  readonly #now: () => number;

  constructor(now: () => number = () => Date.now()) {
    this.#now = now;
  }

  /** @throws {ProviderFailure} */
  async find(issuer: string, fetch: OutgoingFetch): Promise<OidcProvider> {
    const known = this.#known.get(issuer);
    if (known && this.#now() - known.readAtMs < PROVIDER_CACHE_MS) return known.provider;
    const provider = await discoverProvider(issuer, fetch);
    this.#known.delete(issuer);
    this.#known.set(issuer, { provider, readAtMs: this.#now() });
    const [oldest] = this.#known.keys();
    if (this.#known.size > MAX_CACHED_PROVIDERS && oldest !== undefined) this.#known.delete(oldest);
    return provider;
  }
}

/** @param fetch Bounded in time and bytes, without redirects. @throws {ProviderFailure} */
export async function discoverProvider(
  issuer: string,
  fetch: OutgoingFetch,
): Promise<OidcProvider> {
  const address = `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`;
  let response: Response;
  try {
    response = await fetch(address, { headers: { accept: "application/json" } });
  } catch {
    throw new ProviderFailure("cannot be reached, or did not answer in time");
  }
  if (response.status !== 200) {
    throw new ProviderFailure(`answers its configuration with status ${response.status}`);
  }
  const found = await looseBodyOf(response);
  if (!found) throw new ProviderFailure("has a configuration that is no JSON object");
  // Metadata of another issuer must not be used. Some write a slash at the end and some do not.
  const named = found["issuer"];
  if (typeof named !== "string" || named.replace(/\/$/, "") !== issuer.replace(/\/$/, "")) {
    throw new ProviderFailure("has the configuration of another issuer");
  }
  function addressOf(name: string): string {
    const value = found?.[name];
    if (typeof value !== "string" || !isWebAddress(value, issuer)) {
      throw new ProviderFailure(`has no ${name} that can be used`);
    }
    return value;
  }
  const methods = found["token_endpoint_auth_methods_supported"];
  return {
    issuer: named,
    authorization_endpoint: addressOf("authorization_endpoint"),
    token_endpoint: addressOf("token_endpoint"),
    jwks_uri: addressOf("jwks_uri"),
    authorization_response_iss_parameter_supported:
      found["authorization_response_iss_parameter_supported"] === true,
    token_endpoint_auth_methods_supported: Array.isArray(methods)
      ? methods.filter((method): method is string => typeof method === "string")
      : [],
  };
}

/** A person opens one of them: no script, and no name before the host. By http only where the issuer itself is asked so. */
function isWebAddress(text: string, issuer: string): boolean {
  if (text.length > MAX_PROVIDER_ADDRESS_CHARACTERS || !URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  const isSafe = protocol === "https:" || (protocol === "http:" && issuer.startsWith("http:"));
  return isSafe && username === "" && password === "";
}
