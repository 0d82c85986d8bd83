// Whether the words of a form ask for a secret. What a person types into a form is in the log and goes to the server as
// plain text, so the protocol forbids to ask for secrets there; servers have URL mode for that.

/** Single words, and pairs that mean it together. A false alarm costs a `decline`; a miss, a secret in a log. */
const SECRETS: readonly RegExp[] = [
  /\bpass ?(?:word|wd|phrase|code|key)s?\b/,
  /\bpwd\b/,
  /\bpins?\b/,
  /\bsecrets?\b/,
  /\btokens?\b/,
  /\bcredentials?\b/,
  /\b(?:api|access|private|signing|encryption|recovery|ssh) keys?\b/,
  /\bapikeys?\b/,
  /\b(?:seed|recovery) phrases?\b/,
  /\bmnemonic\b/,
  /\b(?:otp|totp|2fa|mfa)\b/,
  /\b(?:one time|verification|security|authentication|auth|sms|backup) codes?\b/,
  /\b(?:credit|debit|bank|payment) cards?\b/,
  /\bcard (?:number|no|num|code)\b/,
  /\bcardnumber\b/,
  /\b(?:cvv|cvc|cvn)2?\b/,
  /\b(?:ssn|social security)\b/,
];

export function asksForSecret(text: string): boolean {
  const words = text
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .replace(/[^a-z\d]+/g, " ");
  return SECRETS.some((pattern) => pattern.test(words));
}
