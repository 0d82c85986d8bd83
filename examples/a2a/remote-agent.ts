// An agent of another system: the server of the protocol's own SDK, in 0.3 as the document's examples have it. It greets who
// talks to it, and knows in one conversation what it was told before.
import { AgentCard, Message, Task } from "@a2a-js/sdk";
import { LegacyJsonRpcTransportHandler } from "@a2a-js/sdk/compat/v0_3/server";
import {
  AgentEvent,
  DefaultRequestHandler,
  InMemoryTaskStore,
  ServerCallContext,
  type ExecutionEventBus,
  type RequestContext,
} from "@a2a-js/sdk/server";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";

import type { CardSource } from "../../protocol/a2a/remote-agent.ts";
import { StoryFailure } from "../connect.ts";

/** Of the document's card. */
const PORT = 8_000;

export interface RemoteAgent {
  readonly url: string;
  /** As the document makes it by hand. */
  readonly card: Extract<CardSource, { inline: unknown }>["inline"];
  close(): Promise<void>;
}

/** @throws StoryFailure when the port is in use. */
export async function startRemoteAgent(): Promise<RemoteAgent> {
  const url = `http://localhost:${PORT}`;
  const card = {
    name: "Friday",
    description: "A fun chatting companion",
    url,
    version: "1.0.0",
    capabilities: { pushNotifications: false, streaming: true },
    defaultInputModes: ["text/plain"],
    defaultOutputModes: ["text/plain"],
    skills: [],
  };
  const told = new Map<string, string[]>();
  const executor = {
    async execute(context: RequestContext, bus: ExecutionEventBus) {
      answer(context, bus, told);
      bus.finished();
    },
    async cancelTask(_taskId: string, bus: ExecutionEventBus) {
      bus.finished();
    },
  };
  const own = AgentCard.fromJSON({ ...card, supportedInterfaces: [] });
  const requests = new DefaultRequestHandler(own, new InMemoryTaskStore(), executor);
  const handler = new LegacyJsonRpcTransportHandler(requests);
  const server = createServer((request, response) => {
    void serve(request, response).catch(() => response.destroy());
  });
  await listen(server);
  return { url, card, close: () => new Promise((resolve) => server.close(() => resolve())) };

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method === "GET") return json(response, card);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(Buffer.from(chunk));
    const body = JSON.parse(Buffer.concat(chunks).toString("utf8")) as Record<string, unknown>;
    const answered = await handler.handle(body, new ServerCallContext({ requestedVersion: "0.3" }));
    if (!(Symbol.asyncIterator in answered)) return json(response, answered);
    response.writeHead(200, { "content-type": "text/event-stream" });
    for await (const frame of answered) response.write(`data: ${JSON.stringify(frame)}\n\n`);
    response.end();
  }
}

function answer(
  { taskId, contextId, userMessage }: RequestContext,
  bus: ExecutionEventBus,
  told: Map<string, string[]>,
): void {
  const { parts } = Message.toJSON(userMessage) as { readonly parts: readonly { text?: string }[] };
  const text = parts.map((part) => part.text ?? "").join(" ");
  const before = told.get(contextId) ?? [];
  told.set(contextId, [...before, text]);
  const said =
    before.length === 0 ? `Hello! You say: ${text}` : `Before, you said: ${before.at(-1)}`;
  const artifacts = [{ artifactId: "answer", parts: [{ text: said }] }];
  const status = { state: "TASK_STATE_COMPLETED" };
  bus.publish(AgentEvent.task(Task.fromJSON({ id: taskId, contextId, status, artifacts })));
}

function listen(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", () => {
      reject(new StoryFailure(`Port ${PORT} is in use: this example needs it.`));
    });
    server.listen(PORT, "localhost", resolve);
  });
}

function json(response: ServerResponse, value: unknown): void {
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify(value));
}
