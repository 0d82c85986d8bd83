// A tool server that answers with too deeply nested metadata.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

const LEVELS = 8_000;

export interface DeepTool {
  readonly url: string;
  stop(): void;
}

export async function startDeepTool(): Promise<DeepTool> {
  const deep = `${'{"a":'.repeat(LEVELS)}1${"}".repeat(LEVELS)}`;
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(200, { "content-type": "application/json" });
    response.end(`{"output":"found","metadata":${deep}}`);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}
