import { generateId } from "../protocol/defaults.ts";

/**
 * A fresh id with this prefix, for what the platform is to recognise when it comes again. The language's own random
 * does where a runtime has no `crypto`: these values are labels, not secrets.
 */
export function randomId(prefix: "msg" | "req"): string {
  return `${prefix}_${globalThis.crypto?.randomUUID?.() ?? generateId()}`;
}
