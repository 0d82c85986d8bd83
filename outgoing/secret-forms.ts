// Secrets in texts of the servers that they were sent to, in the forms in which a server may repeat them.

const REDACTED = "[redacted]";
/** A shorter secret would be found in ordinary words. */
const MIN_SECRET_CHARACTERS = 6;

/** Forms in which texts may hold the secrets, the longest form first. */
export function secretForms(secrets: readonly string[]): readonly string[] {
  const forms = secrets
    .filter((secret) => secret.length >= MIN_SECRET_CHARACTERS)
    .flatMap((secret) => formsOf(secret));
  return [...new Set(forms)].toSorted((one, other) => other.length - one.length);
}

/** @param forms Of {@link secretForms}. Cost: one search of the text for each. */
export function withoutForms(text: string, forms: readonly string[]): string {
  let shown = text;
  for (const form of forms) shown = shown.replaceAll(form, REDACTED);
  return shown;
}

/** As it is, in JSON once and twice, in an address or a form, in HTML, in hex, and in base64. */
function formsOf(secret: string): readonly string[] {
  const bytes = [...new TextEncoder().encode(secret)];
  const hex = bytes.map((byte) => byte.toString(16).padStart(2, "0"));
  const inAddress = encodeURIComponent(secret);
  const strict = inAddress.replaceAll(/[!'()*]/g, (mark) => `%${hexOf(mark)}`);
  const addresses = [inAddress, strict, strict.replaceAll("%20", "+")];
  const inJson = JSON.stringify(secret).slice(1, -1);
  const slashed = inJson.replaceAll("/", "\\/");
  // Go, PHP, Python: each escapes other characters.
  const escaped = [/[<>&]/g, /[<>&']/g, /[<>&'\u007f-\uffff]/g, /[\u007f-\uffff]/g].map((marks) =>
    inJson.replaceAll(marks, unicodeEscape),
  );
  const inBase64 = [0, 1, 2].flatMap((before) => {
    const form = base64Of(secret, before);
    return [form, form.replaceAll("+", "-").replaceAll("/", "_")];
  });
  return [
    secret,
    inJson,
    slashed,
    ...escaped,
    ...escaped.map((form) => form.replaceAll("/", "\\/")),
    JSON.stringify(inJson).slice(1, -1),
    ...addresses,
    ...addresses.map((form) => form.replaceAll(/%[\dA-F]{2}/g, (code) => code.toLowerCase())),
    `%${hex.join("%")}`,
    `%${hex.join("%").toUpperCase()}`,
    inHtml(secret, "&#39;"),
    inHtml(secret, "&#x27;"),
    hex.join(""),
    hex.join("").toUpperCase(),
    ...inBase64,
    ...inBase64.map((form) => form.replaceAll("/", "\\/")),
  ];
}

function hexOf(mark: string): string {
  return mark.charCodeAt(0).toString(16).toUpperCase();
}

function unicodeEscape(mark: string): string {
  return `\\u${mark.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

function inHtml(secret: string, quote: string): string {
  return secret
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", quote);
}

/**
 * The characters that the secret alone decides in the base64 of a text that has it, such as `name:secret`.
 * @param before Bytes before it in its group of three.
 */
function base64Of(secret: string, before: number): string {
  const bytes = new TextEncoder().encode(`${" ".repeat(before)}${secret}`);
  const encoded = btoa(String.fromCharCode(...bytes));
  return encoded.slice(Math.ceil((before * 8) / 6), Math.floor((bytes.length * 8) / 6));
}
