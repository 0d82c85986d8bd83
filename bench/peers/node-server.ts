// Process of the plain Node server: the log of each session in memory, one event per token. Nothing is durable. Reports
// its port to the parent process.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { argv } from "node:process";

import { readChatTokens } from "../model/read-chat-tokens.ts";

const [, , model = ""] = argv;
const logs = new Map<string, string[]>();

const server = createServer((request, response) => {
  void answer(request, response).catch((error: unknown) => {
    console.error("the plain server:", error);
    response.destroy();
  });
});
server.keepAliveTimeout = 600_000;
server.listen(0, "127.0.0.1", () =>
  process.send?.({ port: (server.address() as AddressInfo).port }),
);
process.on("disconnect", () => process.exit(0));

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const headers = { "content-type": "application/json" };
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const body = Buffer.concat(parts);
  const log: string[] = [];
  logs.set(request.url ?? "", log);
  response.writeHead(200, { "content-type": "text/event-stream" });
  for await (const delta of readChatTokens(await fetch(model, { method: "POST", headers, body }))) {
    const seq = log.length + 1;
    const frame = `id: ${seq}\ndata: ${JSON.stringify({ seq, delta })}\n\n`;
    log.push(frame);
    response.write(frame);
  }
  response.end();
}
