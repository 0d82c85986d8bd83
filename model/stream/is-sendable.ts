/** Printable ASCII without spaces at its ends. */
const SENDABLE = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;

/** Whether a header can carry a secret. */
export function isSendable(secret: string): boolean {
  return SENDABLE.test(secret);
}
