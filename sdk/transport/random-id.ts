/**
 * A new id with this prefix, by which the platform recognises a repeated request. `Math.random` suffices where
 * `crypto.randomUUID` is missing (some app runtimes, pages without TLS): the values are labels, not secrets.
 */
export function randomId(prefix: "msg" | "req"): string {
  const { crypto } = globalThis as {
    readonly crypto?: { randomUUID?(): string };
  };
  const random = () => Math.random().toString(36).slice(2);
  return `${prefix}_${crypto?.randomUUID?.() ?? random() + random()}`;
}
