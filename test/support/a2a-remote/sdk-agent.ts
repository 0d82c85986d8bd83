// An agent of another system on loopback: the server of the protocol's own SDK, in 1.0 and 0.3. What it does a test plays.
import {
  AgentCard,
  Message,
  Task,
  TaskArtifactUpdateEvent,
  TaskStatusUpdateEvent,
} from "@a2a-js/sdk";
import { LegacyJsonRpcTransportHandler } from "@a2a-js/sdk/compat/v0_3/server";
import {
  AgentEvent,
  DefaultRequestHandler,
  InMemoryTaskStore,
  JsonRpcTransportHandler,
  ServerCallContext,
  type ExecutionEventBus,
  type RequestContext,
} from "@a2a-js/sdk/server";
import type { ServerResponse } from "node:http";

import { startLoopbackServer, type RecordedRequest } from "../loopback-server.ts";

/** The agent's answer to a message: one turn of its task. */
export type Play = (turn: Turn) => Promise<void> | void;

interface Turn {
  readonly taskId: string;
  readonly contextId: string;
  readonly text: string;
  /** Whether the message is for a task that the agent has. */
  readonly isAnswer: boolean;
  /** The data of the message's parts. */
  readonly data: readonly unknown[];
  task(state?: string): void;
  /** @param metadata Of the update. */
  told(state: string, metadata: object): void;
  /** Of another task, as if it were this one's. */
  lie(state: string): void;
  /** A message in place of a task. */
  reply(text: string): void;
  say(text: string): void;
  status(state: string, parts?: readonly object[]): void;
  artifact(
    id: string,
    parts: readonly object[],
    flags?: { append?: boolean; lastChunk?: boolean },
  ): void;
}

export interface SdkAgent {
  readonly url: string;
  readonly card: Record<string, unknown>;
  readonly requests: readonly RecordedRequest[];
  /** The methods of JSON-RPC that were called, in order. */
  methods(): readonly string[];
  /** Tasks that were cancelled. */
  readonly cancelled: readonly string[];
  /** Closes what streams, as a machine that is lost. */
  cut(): void;
  /** A server as a new process would have it: what streams is closed, and nobody can be subscribed to. @param keeps Its tasks. */
  restart(keeps: boolean): void;
  stop(): Promise<void>;
}

export async function startSdkAgent(
  play: Play,
  {
    version = "1.0",
    streaming = true,
    extensions = [],
    token,
    pushNotifications = false,
  }: {
    readonly version?: "1.0" | "0.3";
    readonly streaming?: boolean;
    /** Posts changes of its tasks to the addresses that it is given. */
    readonly pushNotifications?: boolean;
    readonly extensions?: readonly object[];
    /** Wanted of each request, as a bearer token. */
    readonly token?: string;
  } = {},
): Promise<SdkAgent> {
  const requests: RecordedRequest[] = [];
  const cancelled: string[] = [];
  const open = new Set<ServerResponse>();
  const card: Record<string, unknown> = {};
  const about = { streaming, extensions, token, pushNotifications };
  const server = await startLoopbackServer(async (request, response) => {
    if (request.path.endsWith("agent-card.json")) return json(response, card);
    requests.push(request);
    if (token !== undefined && request.headers["authorization"] !== `Bearer ${token}`) {
      response.writeHead(401, { "content-type": "application/json" });
      response.end('{"error":{"message":"no token"}}');
      return;
    }
    const requestedVersion = String(request.headers["a2a-version"] ?? "");
    const context = new ServerCallContext({ requestedVersion });
    const body = request.body as Record<string, unknown>;
    const answer = await handler.handle(body, context);
    if (!(Symbol.asyncIterator in answer)) return json(response, answer);
    open.add(response);
    response.writeHead(200, { "content-type": "text/event-stream" });
    for await (const frame of answer) response.write(`data: ${JSON.stringify(frame)}\n\n`);
    open.delete(response);
    response.end();
  });
  Object.assign(card, cardOf(server.url, { version, ...about }));
  const executor = {
    async execute(context: RequestContext, bus: ExecutionEventBus) {
      await play(turnOf(context, bus));
      bus.finished();
    },
    async cancelTask(taskId: string, bus: ExecutionEventBus) {
      cancelled.push(taskId);
      const status = { state: "TASK_STATE_CANCELED" };
      bus.publish(
        AgentEvent.statusUpdate(TaskStatusUpdateEvent.fromJSON({ taskId, contextId: "", status })),
      );
      bus.finished();
    },
  };
  const used = AgentCard.fromJSON(cardOf(server.url, { version: "1.0", ...about }));
  let store = new InMemoryTaskStore();
  const makeHandler = () => {
    const made = new DefaultRequestHandler(used, store, executor);
    return version === "0.3"
      ? new LegacyJsonRpcTransportHandler(made)
      : new JsonRpcTransportHandler(made);
  };
  let handler = makeHandler();
  const cut = (): void => {
    for (const response of open) response.destroy();
    open.clear();
  };
  return {
    url: server.url,
    card,
    requests,
    cancelled,
    methods: () => requests.map(({ body }) => String((body as { method?: string }).method)),
    cut,
    restart(keeps) {
      if (!keeps) store = new InMemoryTaskStore();
      handler = makeHandler();
      cut();
    },
    stop: () => server.stop(),
  };
}

function turnOf(
  { taskId, contextId, userMessage, task }: RequestContext,
  bus: ExecutionEventBus,
): Turn {
  const parts = (Message.toJSON(userMessage) as { parts: { text?: string; data?: unknown }[] })
    .parts;
  const about = { taskId, contextId };
  const status = (state: string, said?: readonly object[]): void => {
    const message = said && {
      messageId: crypto.randomUUID(),
      role: "ROLE_AGENT",
      parts: said,
      ...about,
    };
    const value = { ...about, status: { state, ...(message && { message }) } };
    bus.publish(AgentEvent.statusUpdate(TaskStatusUpdateEvent.fromJSON(value)));
  };
  return {
    ...about,
    text: parts.map(({ text = "" }) => text).join(""),
    isAnswer: task !== undefined,
    data: parts.flatMap(({ data }) => (data === undefined ? [] : [data])),
    task(state = "TASK_STATE_WORKING") {
      if (task) return bus.publish(AgentEvent.task({ ...task, status: statusOf(state) }));
      bus.publish(AgentEvent.task(Task.fromJSON({ id: taskId, contextId, status: { state } })));
    },
    reply(text) {
      const value = {
        messageId: crypto.randomUUID(),
        role: "ROLE_AGENT",
        parts: [{ text }],
        contextId,
      };
      bus.publish(AgentEvent.message(Message.fromJSON(value)));
    },
    told(state, metadata) {
      const value = { ...about, status: { state }, metadata };
      bus.publish(AgentEvent.statusUpdate(TaskStatusUpdateEvent.fromJSON(value)));
    },
    lie(state) {
      const value = { taskId: "another", contextId, status: { state } };
      bus.publish(AgentEvent.statusUpdate(TaskStatusUpdateEvent.fromJSON(value)));
    },
    say: (text) => status("TASK_STATE_WORKING", [{ text }]),
    status,
    artifact(artifactId, artifactParts, flags = {}) {
      const value = { ...about, artifact: { artifactId, parts: artifactParts }, ...flags };
      bus.publish(AgentEvent.artifactUpdate(TaskArtifactUpdateEvent.fromJSON(value)));
    },
  };
}

function statusOf(state: string): Task["status"] {
  return Task.fromJSON({ id: "t", contextId: "c", status: { state } }).status;
}

function cardOf(
  url: string,
  {
    version,
    streaming,
    extensions,
    token,
    pushNotifications,
  }: {
    readonly version: string;
    readonly streaming: boolean;
    readonly pushNotifications: boolean;
    readonly extensions: readonly object[];
    readonly token?: string | undefined;
  },
): Record<string, unknown> {
  const about = {
    name: "Played agent",
    description: "Does what a test plays.",
    version: "1",
    capabilities: { streaming, extensions, pushNotifications },
    defaultInputModes: ["text/plain"],
    defaultOutputModes: ["text/plain"],
    skills: [{ id: "play", name: "Play", description: "Plays.", tags: ["test"] }],
  };
  if (version === "0.3") {
    const bearer = token !== undefined && {
      securitySchemes: { bearer: { type: "http", scheme: "bearer" } },
      security: [{ bearer: [] }],
    };
    return { ...about, ...bearer, protocolVersion: "0.3.0", url, preferredTransport: "JSONRPC" };
  }
  const bearer = token !== undefined && {
    securitySchemes: { bearer: { httpAuthSecurityScheme: { scheme: "bearer" } } },
    securityRequirements: [{ schemes: { bearer: { list: [] } } }],
  };
  const supportedInterfaces = [{ url, protocolBinding: "JSONRPC", protocolVersion: "1.0" }];
  return { ...about, ...bearer, supportedInterfaces };
}

function json(response: ServerResponse, value: unknown): void {
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify(value));
}
