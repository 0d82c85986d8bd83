import type { FetchFunction } from "@reprise/sdk";

export interface Tunnels {
  /** The runtime's `fetch`, through tunnels. */
  readonly fetch: FetchFunction;
  /** How many connections were lost so far. */
  lost(): number;
}

/** A phone on a train: every connection on which a stream comes in is lost after so many bytes. */
export function openTunnels(everyBytes: number): Tunnels {
  let lost = 0;
  return {
    lost: () => lost,
    async fetch(url, init) {
      const tunnel = new AbortController();
      const signals = init.signal ? [init.signal, tunnel.signal] : [tunnel.signal];
      const response = await fetch(url, { ...init, signal: AbortSignal.any(signals) });
      const isStream = response.headers.get("content-type") === "text/event-stream";
      if (!response.body || !isStream) return response;
      let left = everyBytes;
      const body = response.body.pipeThrough(
        new TransformStream<Uint8Array, Uint8Array>({
          transform(bytes, stream) {
            if (left < 0) return;
            const isLast = left < bytes.length;
            // A stream breaks anywhere, seldom between two events.
            stream.enqueue(isLast ? bytes.subarray(0, left) : bytes);
            left -= bytes.length;
            if (!isLast) return;
            lost += 1;
            tunnel.abort();
          },
        }),
      );
      return new Response(body, response);
    },
  };
}
