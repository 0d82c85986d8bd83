// A real HTTP server on a free port of this machine, for the fakes of the tests.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";

export interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The body as it came, and parsed; null when it is empty, or a form. */
  readonly text: string;
  readonly body: unknown;
}

export interface LoopbackServer {
  /** `http://127.0.0.1:<port>`, no slash at the end. */
  readonly url: string;
  /** Ends open connections too. */
  stop(): Promise<void>;
}

export type LoopbackHandler = (
  request: RecordedRequest,
  response: ServerResponse,
) => void | Promise<void>;

export async function startLoopbackServer(handler: LoopbackHandler): Promise<LoopbackServer> {
  const server = createServer((incoming, response) => {
    response.on("error", () => {});
    void readRequest(incoming)
      .then((request) => handler(request, response))
      .catch(() => response.destroy());
  });
  // A connection that is closed for its age may be in use again at that very moment.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("the server has no port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

async function readRequest(incoming: IncomingMessage): Promise<RecordedRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(Buffer.from(chunk));
  const text = Buffer.concat(chunks).toString("utf8");
  return {
    method: incoming.method ?? "",
    path: incoming.url ?? "",
    headers: incoming.headers,
    text,
    body: text === "" || isForm(incoming) ? null : JSON.parse(text),
  };
}

function isForm({ headers }: IncomingMessage): boolean {
  return headers["content-type"]?.startsWith("application/x-www-form-urlencoded") === true;
}
