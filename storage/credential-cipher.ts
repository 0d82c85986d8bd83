// How credentials are kept: AES-256-GCM under a key of the tenant's own, which is kept under the master secret.
// WebCrypto alone; nothing here is stored or read.

/** A tenant's key under the master secret: `v1.<iv>.<ciphertext and tag>`, both base64url. */
export type WrappedKey = `v1.${string}.${string}`;
/** A secret under its tenant's key, in the same form. */
export type SealedSecret = `v1.${string}.${string}`;

export interface CredentialSeal {
  /** 32 bytes in base64. */
  readonly masterKey: string;
  readonly tenantKey: WrappedKey;
  readonly tenantId: string;
}

const KEY_BYTES = 32;
/** What AES-GCM is made for; a key of a tenant seals far fewer than the 2 ** 32 values that random ones bear. */
const IV_BYTES = 12;
const FORM = /^v1\.([\w-]{16})\.([\w-]+)$/;

/** A new key for a tenant. It is only ever seen wrapped. */
export async function createTenantKey(masterKey: string, tenantId: string): Promise<WrappedKey> {
  const bytes = crypto.getRandomValues(new Uint8Array(KEY_BYTES));
  return encrypt(await importMasterKey(masterKey), bytes, tenantKeyLabel(tenantId));
}

/** The credential's id is sealed in: a row that is copied to another id or tenant does not open. */
export async function sealSecret(
  secret: string,
  credentialId: string,
  seal: CredentialSeal,
): Promise<SealedSecret> {
  const label = secretLabel(seal.tenantId, credentialId);
  return encrypt(await openTenantKey(seal), new TextEncoder().encode(secret), label);
}

/** @throws Error when it was sealed for another tenant, id or key, or was changed since. */
export async function openSecret(
  sealed: SealedSecret,
  credentialId: string,
  seal: CredentialSeal,
): Promise<string> {
  const label = secretLabel(seal.tenantId, credentialId);
  return new TextDecoder().decode(await decrypt(await openTenantKey(seal), sealed, label));
}

async function openTenantKey({ masterKey, tenantKey, tenantId }: CredentialSeal) {
  const bytes = await decrypt(
    await importMasterKey(masterKey),
    tenantKey,
    tenantKeyLabel(tenantId),
  );
  return importKey(bytes);
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
): Promise<`v1.${string}.${string}`> {
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
  if (!iv || !bytes || iv.byteLength !== IV_BYTES) throw new Error("this is no sealed secret");
  try {
    return await crypto.subtle.decrypt({ name: "AES-GCM", iv, additionalData: label }, key, bytes);
  } catch (cause) {
    throw new Error("a sealed secret does not open: MASTER_KEY or the stored row was changed", {
      cause,
    });
  }
}

/** Ids hold no colon, so no two labels are the same text. */
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

/** Takes both alphabets, with or without padding; null for anything else. */
function fromBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    const binary = atob(text.trim().replaceAll("-", "+").replaceAll("_", "/"));
    return Uint8Array.from(binary, (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}
