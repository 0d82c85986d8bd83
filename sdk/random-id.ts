import { generateId } from "../protocol/defaults.ts";

/**
 * A fresh id with this prefix, for what the platform is to recognise when it comes again. The language's own random
 * does where there is no `crypto.randomUUID` (some app runtimes, pages without TLS): these values are labels, not
 * secrets.
 */
export function randomId(prefix: "msg" | "req"): string {
  const canAsk = typeof crypto === "object" && "randomUUID" in crypto;
  return `${prefix}_${canAsk ? crypto.randomUUID() : generateId()}`;
}
