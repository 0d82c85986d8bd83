// An MCP server of the older era for tests in workerd, which cannot listen themselves. `<url>/<word>/mcp` is a server of
// its own for each word; `GET <url>/<word>/calls` answers with the names of the tools that were called there. A session
// `gone-<status>` is one that the server has forgotten, and is refused with that status. A word `failing-…` is a server
// that does not list its tools. The tool `large` answers with half a megabyte, whose end waits for `GET <url>/<word>/release`.
import type { TestProject } from "vitest/node";

import { startLoopbackServer } from "../loopback-server.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Without a slash at its end. */
    readonly mcpServersUrl: string;
  }
}

const TOOLS = [
  { name: "act", inputSchema: { type: "object", properties: { times: { type: "integer" } } } },
  { name: "hang", inputSchema: { type: "object" } },
  { name: "hang_safely", inputSchema: { type: "object" }, annotations: { idempotentHint: true } },
  { name: "broken", inputSchema: { type: "object", pattern: "(" } },
  { name: "large", inputSchema: { type: "object" } },
];
const LARGE = "x".repeat(500_000);

interface Message {
  readonly id?: string;
  readonly method?: string;
  readonly params?: { readonly name?: string; readonly uri?: string };
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const calls = new Map<string, string[]>();
  const gates = new Map<string, PromiseWithResolvers<void>>();
  const server = await startLoopbackServer((request, response) => {
    const [, word = "", asked] = request.path.split("/");
    const made = calls.get(word) ?? [];
    calls.set(word, made);
    const gate = gates.get(word) ?? Promise.withResolvers<void>();
    gates.set(word, gate);
    if (asked === "release") gate.resolve();
    const answer = (body: object, status = 200): void => {
      response.writeHead(status, { "content-type": "application/json" });
      response.end(JSON.stringify(body));
    };
    if (request.method === "GET") return answer(made);
    const { id, method, params } = request.body as Message;
    if (id === undefined) return void response.writeHead(202).end();
    const gone = /^gone-(\d{3})$/.exec(String(request.headers["mcp-session-id"]))?.[1];
    if (gone) {
      const message = "Bad Request: No valid session ID provided";
      return answer({ jsonrpc: "2.0", id: null, error: { code: -32_000, message } }, Number(gone));
    }
    const result = (value: object): void => answer({ jsonrpc: "2.0", id, result: value });
    switch (method) {
      case "initialize":
        return result({
          protocolVersion: "2025-11-25",
          capabilities: { tools: {} },
          serverInfo: { name: word, version: "1" },
        });
      case "tools/list":
        made.push("tools/list");
        if (!word.startsWith("failing-")) return result({ tools: TOOLS });
        return answer({ jsonrpc: "2.0", id, error: { code: -32_000, message: "not today" } });
      case "tools/call": {
        const name = params?.name ?? "";
        made.push(name);
        if (name === "large") {
          response.writeHead(200, { "content-type": "application/json" });
          const start = `{"jsonrpc":"2.0","id":"${id}","result":{"content":[{"type":"text","text":"`;
          response.write(`${start}${LARGE}`);
          return gate.promise.then(() => void response.end('"}]}}'));
        }
        if (!name.startsWith("hang")) result({ content: [{ type: "text", text: `${name} done` }] });
        return undefined;
      }
      case "resources/read": {
        const mimeType = "text/html;profile=mcp-app";
        return result({ contents: [{ uri: params?.uri, mimeType, text: "<p>page</p>" }] });
      }
      default:
        return answer({ jsonrpc: "2.0", id, error: { code: -32_601, message: "no such method" } });
    }
  });
  project.provide("mcpServersUrl", server.url);
  return () => server.stop();
}
