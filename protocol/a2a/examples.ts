// Examples of A2A for the API's document: the refund desk as other agents see it.
import { AGENT_ID, EXAMPLE_TIME, REPLY_ID, SESSION_ID } from "../refund-desk.ts";
import { A2A_EXTENSION } from "./extension.ts";
import type { A2aCard, A2aMessage, A2aPushConfig, A2aStreamResponse, A2aTask } from "./wire.ts";

const message: A2aMessage = {
  messageId: "m-1",
  role: "ROLE_USER",
  parts: [{ text: "I want my money back for A-1003." }],
};

const task: A2aTask = {
  id: REPLY_ID,
  contextId: SESSION_ID,
  status: { state: "TASK_STATE_COMPLETED", timestamp: EXAMPLE_TIME },
  artifacts: [
    {
      artifactId: "01kaj2vf3h8m2p6r0t4w7y1a5d",
      parts: [{ text: "The refund of 40 euros is on its way." }],
    },
  ],
};

const frames: readonly A2aStreamResponse[] = [
  {
    task: {
      id: REPLY_ID,
      contextId: SESSION_ID,
      status: { state: "TASK_STATE_WORKING", timestamp: EXAMPLE_TIME },
    },
  },
  {
    statusUpdate: {
      taskId: REPLY_ID,
      contextId: SESSION_ID,
      status: { state: "TASK_STATE_COMPLETED", timestamp: EXAMPLE_TIME },
    },
  },
];

const config: A2aPushConfig = {
  id: "orders",
  taskId: REPLY_ID,
  url: "https://shop.example/a2a/notifications",
  authentication: { scheme: "Bearer" },
};

const BASE = `https://reprise.example/v1/agents/${AGENT_ID}/a2a`;

const card: A2aCard = {
  name: "Refund desk",
  description: "Looks up orders and refunds them.",
  version: "3",
  supportedInterfaces: [
    { url: BASE, protocolBinding: "JSONRPC", protocolVersion: "1.0" },
    { url: BASE, protocolBinding: "HTTP+JSON", protocolVersion: "1.0" },
  ],
  capabilities: {
    streaming: true,
    pushNotifications: true,
    extendedAgentCard: true,
    extensions: [{ uri: A2A_EXTENSION }],
  },
  securitySchemes: { bearer: { httpAuthSecurityScheme: { scheme: "Bearer" } } },
  securityRequirements: [{ schemes: { bearer: { list: [] } } }],
  defaultInputModes: ["text/plain", "application/json"],
  defaultOutputModes: ["text/plain", "application/json"],
  skills: [
    {
      id: "refunds",
      name: "Refunds",
      description: "Refunds an order after a person has agreed.",
      tags: ["orders"],
    },
  ],
};

export const A2A_EXAMPLES = {
  a2aCall: {
    summary: "Send a message",
    value: { jsonrpc: "2.0", id: 1, method: "SendMessage", params: { message } },
  },
  a2aResult: {
    summary: "The task has ended",
    value: { jsonrpc: "2.0", id: 1, result: { task } },
  },
  a2aSend: { summary: "A message", value: { message } },
  a2aSent: { summary: "The task has ended", value: { task } },
  a2aTask: { summary: "A task that has ended", value: task },
  a2aTasks: {
    summary: "The newest tasks",
    value: {
      tasks: [{ id: task.id, contextId: task.contextId, status: task.status }],
      nextPageToken: "",
      pageSize: 50,
      totalSize: 1,
    },
  },
  a2aStream: {
    summary: "A short task",
    value: frames
      .map((frame, index) => `id: ${41 + index}.1\ndata: ${JSON.stringify(frame)}\n\n`)
      .join(""),
  },
  a2aPushConfig: {
    summary: "Notifications for a shop",
    value: { ...config, authentication: { scheme: "Bearer", credentials: "b3JkZXJz" } },
  },
  a2aStoredPushConfig: { summary: "Without its secrets", value: config },
  a2aPushConfigs: {
    summary: "All of the task",
    value: { configs: [config], nextPageToken: "" },
  },
  a2aCard: { summary: "Of the refund desk", value: card },
} as const;
