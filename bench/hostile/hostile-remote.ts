// An agent of another system that answers each message with a stream that never ends: full of text, or silent.
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** Characters of one piece of an artifact: a frame that is taken. */
const PIECE_CHARACTERS = 100_000;

export type RemoteWay = "flood" | "hang";

export interface HostileRemote {
  readonly cardOf: (way: RemoteWay) => object;
  stop(): void;
}

export async function startHostileRemote(): Promise<HostileRemote> {
  const server = createServer((request, response) => {
    let text = "";
    request.on("data", (piece: Buffer) => (text += piece.toString()));
    request.once("end", () => answer(request.url === "/flood", text, response));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    cardOf: (way) => ({
      name: "Hostile",
      description: "Never ends.",
      version: "1",
      supportedInterfaces: [
        {
          url: `http://127.0.0.1:${port}/${way}`,
          protocolBinding: "JSONRPC",
          protocolVersion: "1.0",
        },
      ],
      capabilities: { streaming: true },
      defaultInputModes: ["text/plain"],
      defaultOutputModes: ["text/plain"],
      skills: [{ id: "s", name: "S", description: "S.", tags: ["s"] }],
    }),
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function answer(isFlood: boolean, text: string, response: ServerResponse): void {
  const { id, method } = JSON.parse(text) as { readonly id: unknown; readonly method: string };
  const names = { taskId: "t", contextId: "c" };
  const task = { id: "t", contextId: "c", status: { state: "TASK_STATE_WORKING" } };
  if (!/Stream|Subscribe/.test(method)) {
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ jsonrpc: "2.0", id, result: task }));
    return;
  }
  response.writeHead(200, { "content-type": "text/event-stream" });
  const frame = (result: object): boolean =>
    response.write(`data: ${JSON.stringify({ jsonrpc: "2.0", id, result })}\n\n`);
  frame({ task });
  if (!isFlood) return;
  const artifact = { artifactId: "a", parts: [{ text: "x".repeat(PIECE_CHARACTERS) }] };
  const more = (): void => {
    while (!response.destroyed && frame({ artifactUpdate: { ...names, artifact, append: true } }));
  };
  response.on("drain", more);
  more();
}
