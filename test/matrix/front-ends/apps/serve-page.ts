// The HTTP server of a small app: its routes, and the page that was built for it.
import { readFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";

type Handle = (request: IncomingMessage, response: ServerResponse) => unknown;

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html",
  ".css": "text/css",
  ".js": "text/javascript",
};

/** @param routes By the beginning of the path. Everything else is a file of the folder that PAGE names. */
export function servePage(routes: Readonly<Record<string, Handle>>): void {
  const folder = process.env["PAGE"] ?? "";
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://page");
    const [, handle] = Object.entries(routes).find(([path]) => pathname.startsWith(path)) ?? [];
    if (handle) return void handle(request, response);
    const name = pathname === "/" ? "/index.html" : pathname;
    readFile(join(folder, name)).then(
      (bytes) => response.setHeader("content-type", TYPES[extname(name)] ?? "").end(bytes),
      () => response.writeHead(404).end(),
    );
  });
  server.listen(0, "127.0.0.1", () => {
    console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  });
}
