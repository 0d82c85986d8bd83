import { readOptions, type RepriseOptions } from "./reprise-options.ts";
import { Transport } from "./transport.ts";

/** @throws {TypeError} when the credential or the base URL is missing. */
export function openTransport(options: RepriseOptions): Transport {
  // An app's own `fetch` is assumed to stream until a response of it has no body.
  const canStream = options.fetch !== undefined || "body" in globalThis.Response.prototype;
  return new Transport(readOptions(options), canStream);
}
