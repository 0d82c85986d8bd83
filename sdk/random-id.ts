import { formatId, ID_RANDOM_BYTES } from "../protocol/ids.ts";

/** A fresh id for a message that this client sends: it lets the platform recognise the same message sent again. */
export function newMessageId(): string {
  return formatId("msg", Date.now(), randomBytes(ID_RANDOM_BYTES));
}

/** A fresh key for a request that may be sent more than once. */
export function newIdempotencyKey(): string {
  return formatId("req", Date.now(), randomBytes(ID_RANDOM_BYTES));
}

/** Some app runtimes have no `crypto`. The language's random is enough: these values are labels, not secrets. */
function randomBytes(count: number): Uint8Array {
  const bytes = new Uint8Array(count);
  if (globalThis.crypto?.getRandomValues) return globalThis.crypto.getRandomValues(bytes);
  return bytes.map(() => Math.floor(Math.random() * 256));
}
