// The shop's HTTP server: the page, its token, and the agent's tools.
import { createServer } from "node:http";
import type { IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";

interface Answer {
  /** Text is sent as it is, an object as JSON. */
  readonly body: string | object;
  readonly type?: "text/html" | "text/css" | "text/javascript";
}

/** By method and path, such as `GET /token`. @param body Of a POST, parsed. */
type Routes = Readonly<Record<string, (body: unknown) => Answer | Promise<Answer>>>;

export interface ShopServer {
  /** Without a trailing slash. */
  readonly url: string;
  /** Sets the routes, after the start: their setup needs the server's URL. */
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
    // Never closes idle connections: the platform reuses them, and could send a request at the moment of closing.
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
