// A provider that keeps the bodies of the requests that it gets, and answers in turn with a call of a tool and with words.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

import type { PrefixWire } from "./wires.ts";

export interface RecordingProvider {
  /** For a model's `base_url`. */
  readonly baseUrl: string;
  /** In the order of the requests. */
  readonly bodies: readonly Buffer[];
  stop(): void;
}

/** @param tools Called in turn, each with an input of its own. */
export async function startProvider(
  wire: PrefixWire,
  tools: readonly string[],
): Promise<RecordingProvider> {
  const bodies: Buffer[] = [];
  const server = createServer((request, response) => {
    void buffer(request).then((body) => {
      bodies.push(body);
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end(answerTo(wire, tools, bodies.length));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}${wire.path}`,
    bodies,
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function answerTo(wire: PrefixWire, tools: readonly string[], number: number): string {
  const tool = tools[number % tools.length] ?? "";
  const events =
    number % 2 === 1
      ? wire.call(`call_${number}`, tool, JSON.stringify({ order_id: `A-${1_000 + number}` }))
      : wire.say(`Order number ${number} is on its way. `.repeat(8).trim());
  return events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");
}
