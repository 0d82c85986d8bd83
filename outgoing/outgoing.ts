// The one door through which requests for tenants leave: tools, and models with an address of their own.
// It decides on the parsed address, never on its spelling, and it follows no redirect: the target of one
// would not have been looked at.

import type { TraceContext } from "../protocol/trace-context.ts";
import { isLoopbackHost, isPublicHost } from "./public-host.ts";

/** A `fetch` that throws {@link OutgoingRefused} for an address that may not be reached. */
export type OutgoingFetch = (
  input: string | URL | Request,
  init?: RequestInit,
) => Promise<Response>;

export interface OutgoingSettings {
  /** This machine, by http:// too, is open in `local` and in no other environment. */
  readonly environment: string;
  /** The only ports of this machine that are open then, such as `8080,8081`; all of them when left out. */
  readonly loopbackPorts?: string;
  readonly fetch: OutgoingFetch;
  /** Put on every request, over what the request has of its own. */
  readonly trace?: TraceContext;
}

/** Why an address was refused, in words that a tenant may read. It holds nothing of the address's secrets. */
export class OutgoingRefused extends Error {
  override readonly name = "OutgoingRefused";

  /** Tells by name, because the class may have been loaded twice. */
  static isInstance(value: unknown): value is OutgoingRefused {
    return value instanceof Error && value.name === "OutgoingRefused";
  }
}

/**
 * Redirects come back as the 3xx answer that they are, whatever `init` asks for.
 * @throws {OutgoingRefused} (as a rejection) before anything is sent.
 */
export function createOutgoing(settings: OutgoingSettings): OutgoingFetch {
  // The platform's fetch must not be called as a method.
  const { environment, loopbackPorts, fetch: send, trace } = settings;
  return async (input, init) => {
    const reason = findRefusal(addressOf(input), environment, loopbackPorts);
    if (reason) throw new OutgoingRefused(reason);
    const headers = trace && { headers: withTrace(trace, input, init) };
    return await send(input, { ...init, ...headers, redirect: "manual" });
  };
}

/**
 * The reason why `address` may not be reached from `environment`, or null when it may.
 * @param loopbackPorts Of {@link OutgoingSettings}.
 */
export function findRefusal(
  address: string,
  environment: string,
  loopbackPorts?: string,
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
  return isPublicHost(url.hostname)
    ? null
    : "the host is private, local or reserved; use a public one";
}

/** An empty list opens none. */
function isOpenPort({ port, protocol }: URL, ports: string | undefined): boolean {
  if (ports === undefined) return true;
  const own = protocol === "https:" ? "443" : "80";
  return ports
    .split(",")
    .map((one) => one.trim())
    .includes(port || own);
}

/** The request's headers in our trace. Its own tracestate would belong to another one. */
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
