// An OpenAI-compatible endpoint for embeddings, which answers at once: what it takes itself is measured apart.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

import { vectorOf } from "./vectors.ts";

interface Embedder {
  readonly baseUrl: string;
  stop(): void;
}

export async function startEmbedder(): Promise<Embedder> {
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const { input, dimensions } = JSON.parse(Buffer.concat(parts).toString("utf8")) as {
        readonly input: readonly string[];
        readonly dimensions: number;
      };
      const data = input.map((text, index) => ({ index, embedding: vectorOf(text, dimensions) }));
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ data }));
    });
  });
  server.keepAliveTimeout = 600_000;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}
