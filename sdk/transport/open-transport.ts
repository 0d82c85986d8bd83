import { readOptions, type RepriseOptions } from "./reprise-options.ts";
import { Transport } from "./transport.ts";

/** Globals in which runtimes differ. */
interface AppGlobals {
  readonly navigator?: { readonly product?: string };
  readonly Response?: { readonly prototype: object };
  readonly XMLHttpRequest?: unknown;
}

/** @throws {TypeError} when the credential or the base URL is missing. */
export function openTransport(options: RepriseOptions): Transport {
  const { navigator, Response, XMLHttpRequest } = globalThis as AppGlobals;
  const isReactNative = navigator?.product === "ReactNative";
  // An app's own `fetch`, and React Native's, which some versions replace, show by an answer whether they can stream.
  const canStream =
    !options.fetch && !isReactNative && Response && "body" in Response.prototype ? true : null;
  // Beside an app's own `fetch` nothing else sends requests.
  const canProgress = !options.fetch && typeof XMLHttpRequest === "function";
  return new Transport(readOptions(options), canStream, canProgress);
}
