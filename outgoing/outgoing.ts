// The egress guard (SSRF protection): every request to a tenant's URL, for tools and models, goes through here. It
// checks the parsed URL, not its text, and follows no redirect, because its target would be unchecked.

import type { TraceContext } from "../protocol/trace-context.ts";
import type { EgressRules } from "./egress-rules.ts";
import { findHostRefusal, isLoopbackHost } from "./public-host.ts";

/** A `fetch` that throws {@link OutgoingRefused} for a forbidden URL. */
export type OutgoingFetch = (
  input: string | URL | Request,
  init?: RequestInit,
) => Promise<Response>;

export interface OutgoingSettings extends EgressRules {
  readonly fetch: OutgoingFetch;
  /** Trace headers for every request; override the request's own. */
  readonly trace?: TraceContext;
}

/** The reason why a URL was refused, for the tenant. It contains no secret part of the URL. */
export class OutgoingRefused extends Error {
  override readonly name = "OutgoingRefused";

  /** Compares the name, because the class may be loaded twice. */
  static isInstance(value: unknown): value is OutgoingRefused {
    return value instanceof Error && value.name === "OutgoingRefused";
  }
}

/**
 * Returns a 3xx response as it is, whatever `init.redirect` says.
 * @throws {OutgoingRefused} (as a rejection) before anything is sent.
 */
export function createOutgoing(settings: OutgoingSettings): OutgoingFetch {
  // The runtime's fetch must not be called as a method.
  const { fetch: send, trace } = settings;
  return async (input, init) => {
    const reason = findRefusal(addressOf(input), settings);
    if (reason) throw new OutgoingRefused(reason);
    const headers = trace && { headers: withTrace(trace, input, init) };
    return await send(input, { ...init, ...headers, redirect: "manual" });
  };
}

/** The reason why `address` is forbidden, or null when it is allowed. */
export function findRefusal(
  address: string,
  { environment, loopbackPorts, allowedNames }: EgressRules,
): string | null {
  const url = parseAddress(address);
  if (!url) return "the address is not a URL";
  if (url.username !== "" || url.password !== "") {
    return "the address holds a user name or a password; send credentials in a header";
  }
  if (url.protocol !== "https:" && url.protocol !== "http:")
    return `${url.protocol}// addresses cannot be reached; use https://`;
  const isLocal = environment === "local";
  if (url.protocol === "http:" && !isLocal) return "plain http:// is not allowed; use https://";
  if (isLocal && isLoopbackHost(url.hostname)) {
    return isOpenPort(url, loopbackPorts) ? null : "this port of this machine is not open";
  }
  if (url.protocol === "http:")
    return "plain http:// is allowed to this machine only; use https://";
  return findHostRefusal(url.hostname, allowedNames);
}

/** An empty list allows none. */
function isOpenPort({ port, protocol }: URL, ports: string | undefined): boolean {
  if (ports === undefined) return true;
  const own = protocol === "https:" ? "443" : "80";
  return ports
    .split(",")
    .map((one) => one.trim())
    .includes(port || own);
}

/** The headers with our trace. The request's own `tracestate` would belong to another trace. */
function withTrace(
  { traceparent, tracestate }: TraceContext,
  input: string | URL | Request,
  init?: RequestInit,
): Headers {
  const own = typeof input === "object" && "headers" in input ? input.headers : undefined;
  const headers = new Headers(init?.headers ?? own);
  headers.set("traceparent", traceparent);
  if (tracestate === undefined) headers.delete("tracestate");
  else headers.set("tracestate", tracestate);
  return headers;
}

function addressOf(input: string | URL | Request): string {
  if (typeof input === "string") return input;
  return input instanceof URL ? input.href : input.url;
}

function parseAddress(address: string): URL | null {
  try {
    return new URL(address);
  } catch {
    return null;
  }
}
