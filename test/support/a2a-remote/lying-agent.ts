// An agent on loopback that answers by hand, as no honest server would.
import type { ServerResponse } from "node:http";

import { startLoopbackServer, type RecordedRequest } from "../loopback-server.ts";

export interface Asked {
  readonly method: string;
  readonly id: unknown;
  readonly params: Readonly<Record<string, unknown>>;
  readonly request: RecordedRequest;
  readonly response: ServerResponse;
  /** The result of JSON-RPC. */
  readonly answer: (result: unknown) => void;
  /** Begins a stream, or goes on with it. */
  readonly frame: (result: unknown) => void;
  readonly raw: (status: number, type: string, body: string) => void;
}

export async function startLyingAgent(
  handle: (asked: Asked) => void | Promise<void>,
  { streaming = true, binding = "JSONRPC", tenant = "", pushNotifications = false } = {},
) {
  const asked: Asked[] = [];
  const server = await startLoopbackServer(async (request, response) => {
    const body = request.body as { method?: string; id?: unknown; params?: object } | null;
    const one: Asked = {
      method: body?.method ?? `${request.method} ${request.path}`,
      id: body?.id ?? null,
      params: (body?.params ?? body ?? {}) as Asked["params"],
      request,
      response,
      answer: (result) =>
        one.raw(200, "application/json", JSON.stringify({ jsonrpc: "2.0", id: one.id, result })),
      frame(result) {
        if (!response.headersSent) response.writeHead(200, { "content-type": "text/event-stream" });
        const value = binding === "JSONRPC" ? { jsonrpc: "2.0", id: one.id, result } : result;
        response.write(`data: ${JSON.stringify(value)}\n\n`);
      },
      raw(status, type, text) {
        response.writeHead(status, { "content-type": type });
        response.end(text);
      },
    };
    asked.push(one);
    await handle(one);
  });
  const used = { url: server.url, protocolBinding: binding, protocolVersion: "1.0" };
  const card = {
    name: "Liar",
    description: "Lies.",
    version: "1",
    supportedInterfaces: [{ ...used, ...(tenant !== "" && { tenant }) }],
    capabilities: { streaming, pushNotifications },
    defaultInputModes: ["text/plain"],
    defaultOutputModes: ["text/plain"],
    skills: [{ id: "lie", name: "Lie", description: "Lies.", tags: ["test"] }],
  };
  return {
    card,
    asked,
    methods: () => asked.map(({ method }) => method),
    stop: () => server.stop(),
  };
}

export function taskOf(state: string, about: object = {}) {
  return { id: "t1", contextId: "c1", status: { state: `TASK_STATE_${state}` }, ...about };
}

export function statusOf(state: string, about: object = {}) {
  const status = { state: `TASK_STATE_${state}` };
  return { statusUpdate: { taskId: "t1", contextId: "c1", status, ...about } };
}

export function artifactOf(text: string, about: object = {}) {
  const artifact = { artifactId: "a", parts: [{ text }] };
  return { artifactUpdate: { taskId: "t1", contextId: "c1", artifact, ...about } };
}
