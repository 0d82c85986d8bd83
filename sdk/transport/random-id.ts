/**
 * A fresh id with this prefix, for what the platform is to recognise when it comes again. The language's own random
 * does where there is no `crypto.randomUUID` (some app runtimes, pages without TLS): these values are labels, not
 * secrets.
 */
export function randomId(prefix: "msg" | "req"): string {
  const { crypto } = globalThis as {
    readonly crypto?: { randomUUID?(): string };
  };
  const random = () => Math.random().toString(36).slice(2);
  return `${prefix}_${crypto?.randomUUID?.() ?? random() + random()}`;
}
