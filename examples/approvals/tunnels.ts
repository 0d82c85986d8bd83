import type { FetchFunction } from "@reprise/sdk";

export interface Tunnels {
  /** A `fetch` whose streams are cut. */
  readonly fetch: FetchFunction;
  /** Number of connections cut so far. */
  lost(): number;
}

/** Simulates a phone on a train: cuts each streaming response after this many bytes. */
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
            // Cuts at any byte, usually in the middle of an event.
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
