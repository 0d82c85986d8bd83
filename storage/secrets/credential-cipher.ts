// Envelope encryption of credentials: AES-256-GCM with a data key per tenant, which is itself encrypted ("wrapped")
// with the master key. WebCrypto only; nothing is stored or read here.
import { keyIdOf } from "./key-id.ts";
import { acceptedValues, type RotatedSecret } from "./rotated-secret.ts";

/** A secret encrypted with its tenant's data key: `v1.<iv>.<ciphertext and tag>`, both base64url. */
export type SealedSecret = `v1.${string}.${string}`;
/**
 * A tenant's data key encrypted with the master key: `v2.<id of the master key>.<iv>.<ciphertext and tag>`. Rows from
 * before master keys had ids have the form of a {@link SealedSecret}.
 */
export type WrappedKey = `v2.${string}.${string}.${string}` | SealedSecret;

export interface CredentialSeal {
  readonly masterKey: RotatedSecret;
  readonly tenantKey: WrappedKey;
  readonly tenantId: string;
}

const KEY_BYTES = 32;
/** The standard IV size of AES-GCM. Random IVs are safe for 2 ** 32 values per key; a tenant has far fewer. */
const IV_BYTES = 12;
const WRAPPED_FORM = /^v2\.([\da-f]{8})\.(.+)$/;
const FORM = /^v1\.([\w-]{16})\.([\w-]+)$/;

/**
 * Creates a data key for a tenant and returns it encrypted; it never leaves this module in the clear.
 * @param masterKey 32 bytes in base64.
 */
export async function createTenantKey(masterKey: string, tenantId: string): Promise<WrappedKey> {
  return wrap(crypto.getRandomValues(new Uint8Array(KEY_BYTES)), masterKey, tenantId);
}

/**
 * Encrypts the same data key with the current master key. Secrets encrypted with the data key are not affected.
 * @throws MasterKeyMissing when none of the accepted master keys decrypts it.
 */
export async function rewrapTenantKey(seal: CredentialSeal): Promise<WrappedKey> {
  return wrap(await unwrapTenantKey(seal), seal.masterKey.current, seal.tenantId);
}

/** The prefix of all data keys encrypted with this master key. */
export async function wrappedKeyStart(masterKey: string): Promise<`v2.${string}.`> {
  return `v2.${await keyIdOf(masterKey)}.`;
}

/**
 * No accepted master key decrypts a tenant's data key. A session's pinned copy may be outdated: the tenant's row, which
 * is re-encrypted in each rotation, must be read then.
 */
export class MasterKeyMissing extends Error {
  override readonly name = "MasterKeyMissing";

  /** By name, because the module may be loaded twice. */
  static isInstance(value: unknown): value is MasterKeyMissing {
    return value instanceof Error && value.name === "MasterKeyMissing";
  }
}

/**
 * Tenant and credential id are authenticated (additional data), so a row copied to another id or tenant cannot be
 * decrypted.
 */
export async function sealSecret(
  secret: string,
  credentialId: string,
  seal: CredentialSeal,
): Promise<SealedSecret> {
  const label = secretLabel(seal.tenantId, credentialId);
  return encrypt(await openTenantKey(seal), new TextEncoder().encode(secret), label);
}

/** @throws Error when it was encrypted for another tenant, id or key, or was changed since. */
export async function openSecret(
  sealed: SealedSecret,
  credentialId: string,
  seal: CredentialSeal,
): Promise<string> {
  const label = secretLabel(seal.tenantId, credentialId);
  return new TextDecoder().decode(await decrypt(await openTenantKey(seal), sealed, label));
}

async function openTenantKey(seal: CredentialSeal): Promise<CryptoKey> {
  return importKey(await unwrapTenantKey(seal));
}

async function unwrapTenantKey({
  masterKey,
  tenantKey,
  tenantId,
}: CredentialSeal): Promise<ArrayBuffer> {
  const label = tenantKeyLabel(tenantId);
  const [, id, rest] = WRAPPED_FORM.exec(tenantKey) ?? [];
  let cause: unknown;
  for (const value of acceptedValues(masterKey)) {
    // Sequential, because the first one usually matches.
    const key = await importMasterKey(value);
    if (id !== undefined && (await keyIdOf(value)) !== id) continue;
    try {
      return await decrypt(key, rest === undefined ? tenantKey : `v1.${rest}`, label);
    } catch (error) {
      cause = error;
    }
  }
  throw new MasterKeyMissing(
    "a tenant's data key cannot be decrypted: MASTER_KEY or the stored row was changed",
    { cause },
  );
}

async function wrap(bytes: BufferSource, masterKey: string, tenantId: string): Promise<WrappedKey> {
  const key = await importMasterKey(masterKey);
  const sealed = await encrypt(key, bytes, tenantKeyLabel(tenantId));
  return `${await wrappedKeyStart(masterKey)}${sealed.slice("v1.".length)}` as WrappedKey;
}

/** Whether the text is a master key: 32 bytes in base64. */
export function isMasterKey(text: string): boolean {
  return fromBase64(text)?.byteLength === KEY_BYTES;
}

async function importMasterKey(masterKey: string): Promise<CryptoKey> {
  if (!masterKey) throw new Error("the secret MASTER_KEY is not set");
  const bytes = fromBase64(masterKey);
  if (bytes?.byteLength !== KEY_BYTES) {
    throw new Error(`the secret MASTER_KEY is not ${KEY_BYTES} bytes in base64`);
  }
  return importKey(bytes);
}

function importKey(bytes: BufferSource): Promise<CryptoKey> {
  return crypto.subtle.importKey("raw", bytes, "AES-GCM", false, ["encrypt", "decrypt"]);
}

async function encrypt(
  key: CryptoKey,
  bytes: BufferSource,
  label: Uint8Array,
): Promise<SealedSecret> {
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
  const sealed = await crypto.subtle.encrypt(
    { name: "AES-GCM", iv, additionalData: label },
    key,
    bytes,
  );
  return `v1.${toBase64Url(iv)}.${toBase64Url(new Uint8Array(sealed))}`;
}

async function decrypt(key: CryptoKey, sealed: string, label: Uint8Array): Promise<ArrayBuffer> {
  const [, ivText = "", sealedText = ""] = FORM.exec(sealed) ?? [];
  const [iv, bytes] = [fromBase64(ivText), fromBase64(sealedText)];
  if (!iv || !bytes || iv.byteLength !== IV_BYTES) throw new Error("not an encrypted secret");
  try {
    return await crypto.subtle.decrypt({ name: "AES-GCM", iv, additionalData: label }, key, bytes);
  } catch (cause) {
    throw new Error("a secret cannot be decrypted: its key or the stored row was changed", {
      cause,
    });
  }
}

/** Ids contain no colon, so labels are unique. */
function tenantKeyLabel(tenantId: string): Uint8Array {
  return new TextEncoder().encode(`tenant-key:${tenantId}`);
}

function secretLabel(tenantId: string, credentialId: string): Uint8Array {
  return new TextEncoder().encode(`credential:${tenantId}:${credentialId}`);
}

function toBase64Url(bytes: Uint8Array): string {
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** Accepts base64 and base64url, with or without padding; null for anything else. */
function fromBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    const binary = atob(text.trim().replaceAll("-", "+").replaceAll("_", "/"));
    return Uint8Array.from(binary, (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}
