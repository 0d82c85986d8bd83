// MCP servers for the pictures of the console: a travel agency that asks a person, and a calendar that wants a sign-in, with
// its authorization server.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

interface PictureServer {
  readonly url: string;
  stop(): Promise<void>;
}

interface Answer {
  readonly status?: number;
  readonly json?: unknown;
  readonly location?: string;
}

const VERSION = "2026-07-28";
const SCHEMA = { type: "object", properties: {} };
const TRIP = {
  type: "object",
  properties: {
    email: { type: "string", title: "E-mail for the tickets", format: "email" },
    nights: { type: "integer", title: "Nights", minimum: 1, maximum: 30, default: 2 },
    class: {
      type: "string",
      title: "Class",
      oneOf: [
        { const: "eco", title: "Economy" },
        { const: "biz", title: "Business" },
      ],
    },
    extras: {
      type: "array",
      title: "Extras",
      items: { type: "string", enum: ["sea view", "parking", "late check-out"] },
    },
  },
  required: ["email", "nights"],
};
const MESSAGE = "Two trains fit. Before I book one: who travels, and how?";

/** A server whose tool `book` asks with a form, whatever it is sent. */
export function startTravelAgency(): Promise<PictureServer> {
  const asked = {
    method: "elicitation/create",
    params: { message: MESSAGE, requestedSchema: TRIP },
  };
  const results: Readonly<Record<string, object>> = {
    "server/discover": {
      supportedVersions: [VERSION],
      capabilities: { tools: {} },
      serverInfo: { name: "travel", version: "1" },
    },
    "tools/list": { tools: [{ name: "book", description: "Books a trip.", inputSchema: SCHEMA }] },
    "tools/call": {
      resultType: "input_required",
      inputRequests: { trip: asked },
      requestState: "trip",
    },
  };
  return start((_path, body) => rpc(body, results));
}

/** A server that takes the tokens that its own authorization server gives to everybody. */
export function startCalendar(): Promise<PictureServer> {
  const results: Readonly<Record<string, object>> = {
    initialize: {
      protocolVersion: "2025-11-25",
      capabilities: { tools: {} },
      serverInfo: { name: "calendar", version: "1" },
    },
    "tools/list": { tools: [{ name: "today", description: "What is on.", inputSchema: SCHEMA }] },
    "tools/call": { content: [{ type: "text", text: "Lunch with Bob at noon." }] },
  };
  return start((path, body, { origin, token }) => {
    const { pathname, searchParams } = new URL(path, origin);
    switch (pathname) {
      case "/.well-known/oauth-protected-resource/mcp":
        return { json: { resource: `${origin}/mcp`, authorization_servers: [origin] } };
      case "/.well-known/oauth-authorization-server":
        return {
          json: {
            issuer: origin,
            authorization_endpoint: `${origin}/authorize`,
            token_endpoint: `${origin}/token`,
            registration_endpoint: `${origin}/register`,
            code_challenge_methods_supported: ["S256"],
            token_endpoint_auth_methods_supported: ["none"],
          },
        };
      case "/register":
        return { status: 201, json: { ...(JSON.parse(body) as object), client_id: "pictures" } };
      case "/authorize": {
        const back = new URL(searchParams.get("redirect_uri") ?? origin);
        back.searchParams.set("state", searchParams.get("state") ?? "");
        back.searchParams.set("code", "of-a-picture");
        return { status: 302, location: back.href };
      }
      case "/token":
        return { json: { access_token: "of-a-picture", token_type: "Bearer", expires_in: 3_600 } };
      default:
        return token === "Bearer of-a-picture" ? rpc(body, results) : { status: 401, json: {} };
    }
  });
}

function rpc(body: string, results: Readonly<Record<string, object>>): Answer {
  const { id, method = "" } = JSON.parse(body || "{}") as { id?: unknown; method?: string };
  if (id === undefined) return { status: 202 };
  const result = results[method];
  const outcome = result ? { result } : { error: { code: -32_601, message: "Method not found" } };
  return { json: { jsonrpc: "2.0", id, ...outcome } };
}

type Answering = (
  path: string,
  body: string,
  about: { readonly origin: string; readonly token: string | undefined },
) => Answer;

/** On a free port of this machine. */
async function start(answer: Answering): Promise<PictureServer> {
  const server = createServer((request, response) => {
    void serve(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = "";
    for await (const piece of request) body += String(piece);
    const isStream = request.method === "GET" && request.url === "/mcp";
    const about = { origin, token: request.headers.authorization };
    const given: Answer = isStream ? { status: 405 } : answer(request.url ?? "/", body, about);
    const { status = 200, json, location } = given;
    response.writeHead(status, {
      ...(json !== undefined && { "Content-Type": "application/json" }),
      ...(location !== undefined && { Location: location }),
    });
    response.end(json === undefined ? undefined : JSON.stringify(json));
  }

  return {
    url: `${origin}/mcp`,
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}
