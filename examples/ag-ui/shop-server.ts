// The shop's server: the page, a token for it, and the tools of the agent.
import { createServer } from "node:http";
import type { IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";

interface Answer {
  /** Text as it is, an object as JSON. */
  readonly body: string | object;
  readonly type?: "text/html" | "text/css" | "text/javascript";
}

/** By method and path, such as `GET /token`. @param body Of a POST, parsed. */
type Routes = Readonly<Record<string, (body: unknown) => Answer | Promise<Answer>>>;

export interface ShopServer {
  /** Without a slash at its end. */
  readonly url: string;
  /** It listens first: what it serves depends on things that its address is needed for. */
  serve(routes: Routes): void;
  close(): Promise<void>;
}

export async function startShopServer(): Promise<ShopServer> {
  const routes = new Map<string, Routes[string]>();
  const server = createServer((request, response) => {
    void answer(request, routes).then(({ status, body, type }) => {
      const isText = typeof body === "string";
      const contentType = type ?? (isText ? "text/plain" : "application/json");
      response.writeHead(status, { "content-type": `${contentType}; charset=utf-8` });
      response.end(isText ? body : JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    // The platform keeps its connections: one that is closed for its age may be in use again at that very moment.
    server.keepAliveTimeout = 0;
    server.listen(0, "127.0.0.1", resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    serve(added) {
      for (const [name, route] of Object.entries(added)) routes.set(name, route);
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(
  request: IncomingMessage,
  routes: ReadonlyMap<string, Routes[string]>,
): Promise<Answer & { readonly status: number }> {
  const route = routes.get(`${request.method} ${request.url}`);
  if (!route) return { status: 404, body: "" };
  try {
    const body =
      request.method === "POST" && request.headers["content-type"] ? await json(request) : null;
    return { status: 200, ...(await route(body)) };
  } catch (error) {
    console.error(error);
    return { status: 500, body: "" };
  }
}
