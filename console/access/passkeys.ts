// Passkeys of this browser, by WebAuthn's JSON forms: what the platform sends is passed on, and so is the answer.

/** The platform's host is an IP address, which has no passkeys. */
export class NoPasskeys extends Error {
  override readonly name = "NoPasskeys";
}

/** Whether this browser can make and use passkeys here: it is new enough, and the page is secure. */
export function hasPasskeys(): boolean {
  return (
    "PublicKeyCredential" in window &&
    "parseCreationOptionsFromJSON" in PublicKeyCredential &&
    "parseRequestOptionsFromJSON" in PublicKeyCredential
  );
}

/** Asks the person for a new passkey. @throws when they refuse, or the device cannot. */
export async function createPasskey(options: object): Promise<object> {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
    options as PublicKeyCredentialCreationOptionsJSON,
  );
  return toJson(await navigator.credentials.create({ publicKey }));
}

/** Asks the person for one of their passkeys. @throws when they refuse, or have none. */
export async function takePasskey(options: object): Promise<object> {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(
    options as PublicKeyCredentialRequestOptionsJSON,
  );
  return toJson(await navigator.credentials.get({ publicKey }));
}

function toJson(credential: Credential | null): object {
  if (credential instanceof PublicKeyCredential) return credential.toJSON() as object;
  throw new Error("the browser gave no passkey");
}
