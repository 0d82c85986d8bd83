// A passkey's device in software: ES256, discoverable, with the flags and counters that a test wants. It writes the JSON forms
// of WebAuthn, as `PublicKeyCredential.toJSON` does.
interface DeviceOptions {
  readonly origin?: string;
  readonly rpId?: string;
  /** Whether the person was checked, by a fingerprint or a PIN. */
  readonly isVerified?: boolean;
  readonly id?: Uint8Array<ArrayBuffer>;
}

interface Options {
  readonly challenge: string;
}

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const ATTESTED = 0x40;
/** COSE: kty EC2, alg ES256, crv P-256, and the heads of x and y. */
const COSE_X = [0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20];
const COSE_Y = [0x22, 0x58, 0x20];

export class Authenticator {
  readonly #origin: string;
  readonly #rpId: string;
  readonly #isVerified: boolean;
  readonly #id: Uint8Array<ArrayBuffer>;
  readonly #keys: Promise<CryptoKeyPair>;
  /** 0 for one that does not count. */
  counter = 0;

  constructor({
    origin = "https://api.test",
    rpId = new URL(origin).hostname,
    isVerified = true,
    id = crypto.getRandomValues(new Uint8Array(16)),
  }: DeviceOptions = {}) {
    this.#origin = origin;
    this.#rpId = rpId;
    this.#isVerified = isVerified;
    this.#id = id;
    this.#keys = crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, true, [
      "sign",
      "verify",
    ]) as Promise<CryptoKeyPair>;
  }

  async register({ challenge }: Options) {
    const { publicKey } = await this.#keys;
    const point = new Uint8Array((await crypto.subtle.exportKey("raw", publicKey)) as ArrayBuffer);
    const cose = [...COSE_X, ...point.slice(1, 33), ...COSE_Y, ...point.slice(33)];
    const length = [this.#id.length >> 8, this.#id.length & 255];
    const attested = [...new Uint8Array(16), ...length, ...this.#id, ...cose];
    const data = await this.#authenticatorData(ATTESTED, attested);
    // CBOR: {fmt: "none", attStmt: {}, authData}.
    const object = [
      0xa3,
      ...cborText("fmt"),
      ...cborText("none"),
      ...cborText("attStmt"),
      0xa0,
      ...cborText("authData"),
      0x58,
      data.length,
      ...data,
    ];
    const response = {
      clientDataJSON: toBase64Url(this.#clientData("webauthn.create", challenge)),
      attestationObject: toBase64Url(Uint8Array.from(object)),
    };
    return { ...this.#credential(), response };
  }

  async sign({ challenge }: Options) {
    const { privateKey } = await this.#keys;
    const [data, client] = [
      await this.#authenticatorData(0, []),
      this.#clientData("webauthn.get", challenge),
    ];
    const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", client));
    const signed = Uint8Array.from([...data, ...hash]);
    const algorithm = { name: "ECDSA", hash: "SHA-256" };
    const signature = new Uint8Array(await crypto.subtle.sign(algorithm, privateKey, signed));
    const response = {
      clientDataJSON: toBase64Url(client),
      authenticatorData: toBase64Url(data),
      signature: toBase64Url(toDer(signature)),
    };
    return { ...this.#credential(), response };
  }

  #credential() {
    const id = toBase64Url(this.#id);
    return { id, rawId: id, type: "public-key" as const, clientExtensionResults: {} };
  }

  #clientData(type: string, challenge: string): Uint8Array<ArrayBuffer> {
    const origin = this.#origin;
    const text = JSON.stringify({ type, challenge, origin, crossOrigin: false });
    return Uint8Array.from(new TextEncoder().encode(text));
  }

  async #authenticatorData(
    flags: number,
    rest: readonly number[],
  ): Promise<Uint8Array<ArrayBuffer>> {
    const party = new TextEncoder().encode(this.#rpId);
    const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", party));
    const person = this.#isVerified ? USER_PRESENT | USER_VERIFIED : USER_PRESENT;
    const counter = [24, 16, 8, 0].map((bits) => (this.counter >> bits) & 255);
    return Uint8Array.from([...hash, person | flags, ...counter, ...rest]);
  }
}

/** A short text in CBOR. */
function cborText(text: string): readonly number[] {
  const bytes = new TextEncoder().encode(text);
  return [0x60 | bytes.length, ...bytes];
}

/** A pair of numbers as ASN.1, as authenticators write it: without leading zeros. */
function toDer(signature: Uint8Array): Uint8Array<ArrayBuffer> {
  const numbers = [signature.slice(0, 32), signature.slice(32)].flatMap((number) => {
    const start = number.findIndex((byte) => byte !== 0);
    const bytes = number.slice(start);
    const positive = (bytes[0] ?? 0) & 0x80 ? [0, ...bytes] : [...bytes];
    return [0x02, positive.length, ...positive];
  });
  return Uint8Array.from([0x30, numbers.length, ...numbers]);
}

function toBase64Url(bytes: Uint8Array): string {
  const text = btoa(String.fromCharCode(...bytes));
  return text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
