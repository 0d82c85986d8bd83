// The signatures of a card: JWS (RFC 7515) over its canonical JSON, checked with the keys that a definition pins. Keys that
// the card itself leads to (`jku`) prove nothing about who has written it, and are never fetched.
import { canonicalJson } from "../../protocol/a2a/canonical-json.ts";
import { MAX_CARD_SIGNATURES } from "../../protocol/a2a/remote-limits.ts";
import type { PinnedKey } from "../../protocol/a2a/remote-agent.ts";
import { isJsonObject, type JsonObject } from "../../protocol/json-object.ts";

interface Algorithm {
  readonly kty: PinnedKey["kty"];
  readonly crv?: string;
  readonly imported: {
    readonly name: string;
    readonly namedCurve?: string;
    readonly hash?: string;
  };
  readonly verified: {
    readonly name: string;
    readonly hash?: string;
    readonly saltLength?: number;
  };
}

type ImportedKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

const ALGORITHMS: Readonly<Record<string, Algorithm>> = {
  ES256: ecdsa("P-256", "SHA-256"),
  ES384: ecdsa("P-384", "SHA-384"),
  ES512: ecdsa("P-521", "SHA-512"),
  EdDSA: { kty: "OKP", imported: { name: "Ed25519" }, verified: { name: "Ed25519" } },
  Ed25519: { kty: "OKP", imported: { name: "Ed25519" }, verified: { name: "Ed25519" } },
  RS256: rsa("RSASSA-PKCS1-v1_5", 0),
  PS256: rsa("RSA-PSS", 32),
};

/** Whether one of the keys has signed the card. Contract: never rejects. */
export async function isSignedBy(card: unknown, keys: readonly PinnedKey[]): Promise<boolean> {
  if (!isJsonObject(card) || !Array.isArray(card["signatures"])) return false;
  const { signatures, ...content } = card;
  const payloads = payloadsOf(content);
  for (const signature of (signatures as readonly unknown[]).slice(0, MAX_CARD_SIGNATURES)) {
    if (isJsonObject(signature) && (await isValid(signature, payloads, keys))) return true;
  }
  return false;
}

async function isValid(
  { protected: header, signature }: JsonObject,
  payloads: readonly string[],
  keys: readonly PinnedKey[],
): Promise<boolean> {
  if (typeof header !== "string" || typeof signature !== "string") return false;
  const said = readHeader(header);
  const bytes = fromBase64Url(signature);
  const algorithm = said && Object.hasOwn(ALGORITHMS, said.alg) ? ALGORITHMS[said.alg] : undefined;
  if (!said || !bytes || !algorithm) return false;
  const fitting = keys.filter(
    (key) =>
      key.kty === algorithm.kty &&
      (algorithm.crv === undefined || ("crv" in key && key.crv === algorithm.crv)) &&
      (key.kid === undefined || key.kid === said.kid),
  );
  for (const key of fitting) {
    const imported = await importKey(key, algorithm);
    for (const payload of imported ? payloads : []) {
      const signed = new TextEncoder().encode(`${header}.${payload}`);
      const isTrue =
        imported && (await crypto.subtle.verify(algorithm.verified, imported, bytes, signed));
      if (isTrue) return true;
    }
  }
  return false;
}

/** A header with extensions that have to be understood (`crit`, `b64`) is refused: none are. */
function readHeader(text: string): { readonly alg: string; readonly kid: unknown } | null {
  const bytes = fromBase64Url(text);
  if (!bytes) return null;
  try {
    const header: unknown = JSON.parse(new TextDecoder().decode(bytes));
    if (!isJsonObject(header) || typeof header["alg"] !== "string") return null;
    if (header["crit"] !== undefined || header["b64"] !== undefined) return null;
    return { alg: header["alg"], kid: header["kid"] };
  } catch {
    return null;
  }
}

async function importKey(
  { kid: _, ...key }: PinnedKey,
  { imported }: Algorithm,
): Promise<ImportedKey | null> {
  try {
    return await crypto.subtle.importKey("jwk", key, imported, false, ["verify"]);
  } catch {
    return null;
  }
}

/**
 * Payloads that may have been signed. The text demands that members with their default are left out unless they are REQUIRED or
 * `optional`; SDKs leave out all empty ones, REQUIRED or not, and others sign what they send. None of the three changes
 * what a card says.
 */
function payloadsOf(content: JsonObject): readonly string[] {
  const forms = [content, withoutDefaults(content), withoutEmpty(content) ?? {}];
  return [...new Set(forms.map(canonicalJson))].map((text) =>
    toBase64Url(new TextEncoder().encode(text)),
  );
}

/** Members that stay with their default: REQUIRED ones, and those that a card may set to it. */
const KEPT: ReadonlySet<string> = new Set(
  (
    "name description supportedInterfaces version capabilities defaultInputModes defaultOutputModes skills url " +
    "protocolBinding protocolVersion organization id tags documentationUrl iconUrl streaming pushNotifications " +
    "extendedAgentCard location scheme flows authorizationUrl tokenUrl deviceAuthorizationUrl scopes openIdConnectUrl"
  ).split(" "),
);
/** Names of objects whose members the specification does not define: their values are kept as they are. */
const OPAQUE: ReadonlySet<string> = new Set(["params", "scopes"]);

function withoutDefaults(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutDefaults);
  if (!isJsonObject(value)) return value;
  const kept = Object.entries(value).flatMap(([name, member]) => {
    if (OPAQUE.has(name)) return [[name, member] as const];
    if (!KEPT.has(name) && isDefault(member)) return [];
    return member === null ? [] : [[name, withoutDefaults(member)] as const];
  });
  return Object.fromEntries(kept);
}

function isDefault(value: unknown): boolean {
  if (value === null || value === "" || value === false || value === 0) return true;
  return Array.isArray(value) && value.length === 0;
}

/** Null for what has nothing left. */
function withoutEmpty(value: unknown): unknown {
  if (value === "" || value === null) return null;
  if (Array.isArray(value)) {
    const kept = value.map(withoutEmpty).filter((one) => one !== null);
    return kept.length > 0 ? kept : null;
  }
  if (!isJsonObject(value)) return value;
  const kept = Object.entries(value).flatMap(([name, member]) => {
    const left = withoutEmpty(member);
    return left === null ? [] : [[name, left] as const];
  });
  return kept.length > 0 ? Object.fromEntries(kept) : null;
}

function ecdsa(namedCurve: string, hash: string): Algorithm {
  const imported = { name: "ECDSA", namedCurve };
  return { kty: "EC", crv: namedCurve, imported, verified: { name: "ECDSA", hash } };
}

function rsa(name: string, saltLength: number): Algorithm {
  const verified = saltLength > 0 ? { name, saltLength } : { name };
  return { kty: "RSA", imported: { name, hash: "SHA-256" }, verified };
}

function toBase64Url(bytes: Uint8Array): string {
  const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

function fromBase64Url(text: string): Uint8Array<ArrayBuffer> | null {
  if (!/^[A-Za-z0-9_-]*$/.test(text)) return null;
  try {
    const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
    return Uint8Array.from(binary, (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}
