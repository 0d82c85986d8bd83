// An agent to be asked over A2A, and requests of both bindings without a client.
import { inject } from "vitest";

import type { A2aStreamResponse, A2aTask } from "../../../protocol/a2a/wire.ts";
import { createAgent, createTenant, openRequest } from "../platform-client.ts";

export type A2aBinding = "JSONRPC" | "HTTP+JSON";
export const A2A_BINDINGS: readonly A2aBinding[] = ["JSONRPC", "HTTP+JSON"];

export interface A2aDesk {
  readonly tenantId: string;
  readonly key: string;
  readonly agentId: string;
  /** The base, under the platform's address. */
  readonly path: string;
}

/** Its tools: `refund`, which asks for a permission, and `print_label`, whose result comes from outside. */
export async function openA2aDesk(overrides: object = {}): Promise<A2aDesk> {
  const { id: tenantId, key } = await createTenant();
  return { tenantId, key, ...(await openA2aAgent(key, overrides)) };
}

/** One more agent of a tenant. */
export async function openA2aAgent(key: string, overrides: object = {}) {
  const agentId = await createAgent(key, {
    name: "Desk",
    a2a: { enabled: true },
    tools: [
      {
        type: "http",
        name: "refund",
        url: `${inject("toolsUrl")}/lookup_order`,
        input_schema: { type: "object", properties: { order_id: { type: "string" } } },
      },
      { type: "external", name: "print_label", input_schema: { type: "object" }, read_only: true },
    ],
    ...overrides,
  });
  return { agentId, path: `/v1/agents/${agentId}/a2a` };
}

/** A task that waits for a permission. */
export const ASKING = '/call refund {"order_id":"A-1001"}\n/say It is done.';
/** One that waits for a result from outside. */
export const LABELLING = "/call print_label {}\n/say Printed.";

interface A2aError {
  /** Of JSON-RPC, or the status of HTTP. */
  readonly code: number;
  readonly message: string;
  readonly details: readonly (Readonly<Record<string, unknown>> & { readonly "@type": string })[];
  /** Of ErrorInfo. */
  readonly reason: string | undefined;
}

export interface A2aAnswer<Result> {
  readonly status: number;
  readonly headers: Headers;
  readonly result?: Result;
  readonly error?: A2aError;
}

export interface A2aOptions {
  /** That of the desk when left out; null for none. */
  readonly key?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The method's request over HTTP+JSON. @param rest Members that the path does not have. */
type RestRequest = (ids: {
  readonly id: string;
  readonly taskId: string;
  readonly rest: Readonly<Record<string, unknown>>;
}) => { readonly method: string; readonly path: string; readonly body?: unknown };

const REST: Readonly<Record<string, RestRequest>> = {
  SendMessage: ({ rest }) => ({ method: "POST", path: "message:send", body: rest }),
  SendStreamingMessage: ({ rest }) => ({ method: "POST", path: "message:stream", body: rest }),
  GetTask: ({ id, rest }) => ({ method: "GET", path: `tasks/${id}${queryOf(rest)}` }),
  ListTasks: ({ rest }) => ({ method: "GET", path: `tasks${queryOf(rest)}` }),
  CancelTask: ({ id, rest }) => ({ method: "POST", path: `tasks/${id}:cancel`, body: rest }),
  SubscribeToTask: ({ id }) => ({ method: "POST", path: `tasks/${id}:subscribe`, body: {} }),
  CreateTaskPushNotificationConfig: ({ id, taskId, rest }) => ({
    method: "POST",
    path: `tasks/${taskId}/pushNotificationConfigs`,
    body: id === "" ? rest : { ...rest, id: decodeURIComponent(id) },
  }),
  GetTaskPushNotificationConfig: ({ id, taskId }) => ({
    method: "GET",
    path: `tasks/${taskId}/pushNotificationConfigs/${id}`,
  }),
  ListTaskPushNotificationConfigs: ({ taskId, rest }) => ({
    method: "GET",
    path: `tasks/${taskId}/pushNotificationConfigs${queryOf(rest)}`,
  }),
  DeleteTaskPushNotificationConfig: ({ id, taskId }) => ({
    method: "DELETE",
    path: `tasks/${taskId}/pushNotificationConfigs/${id}`,
  }),
  GetExtendedAgentCard: () => ({ method: "GET", path: "extendedAgentCard" }),
};

export const A2A_METHODS = Object.keys(REST);

function queryOf(values: Readonly<Record<string, unknown>>): string {
  const text = new URLSearchParams(
    Object.entries(values).map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();
  return text === "" ? "" : `?${text}`;
}

/** The request itself; the test reads what is answered. */
export function openA2a(
  { path, key }: Pick<A2aDesk, "path" | "key">,
  binding: A2aBinding,
  method: string,
  params: Readonly<Record<string, unknown>> = {},
  options: A2aOptions = {},
): Promise<Response> {
  const credential = options.key === undefined ? key : options.key;
  const shared = {
    ...(credential !== null && { key: credential }),
    headers: { "a2a-version": "1.0", ...options.headers },
  };
  if (binding === "JSONRPC") {
    const body = { jsonrpc: "2.0", id: "call-1", method, params };
    return openRequest("POST", path, { ...shared, body });
  }
  const { id = "", taskId = "", ...rest } = params;
  const known = REST[method];
  if (known === undefined) throw new Error(`HTTP+JSON has no ${method}`);
  const ids = { id: encodeURIComponent(String(id)), taskId: encodeURIComponent(String(taskId)) };
  const { method: verb, path: end, body } = known({ ...ids, rest });
  return openRequest(verb, `${path}/${end}`, {
    ...shared,
    ...(body !== undefined && { body }),
    headers: {
      ...(body !== undefined && { "content-type": "application/a2a+json" }),
      ...shared.headers,
    },
  });
}

/** A request that is answered in one piece. */
export async function callA2a<Result = Record<string, unknown>>(
  desk: Pick<A2aDesk, "path" | "key">,
  binding: A2aBinding,
  method: string,
  params: Readonly<Record<string, unknown>> = {},
  options: A2aOptions = {},
): Promise<A2aAnswer<Result>> {
  const response = await openA2a(desk, binding, method, params, options);
  const { status, headers } = response;
  return { status, headers, ...readA2a<Result>(binding, await response.text(), status) };
}

/** @param text The body of an answer. What the platform refuses before a method is asked has its own form of errors. */
export function readA2a<Result>(binding: A2aBinding, text: string, status = 200) {
  const body = (text === "" ? {} : JSON.parse(text)) as Record<string, unknown>;
  const { error, result } = body as {
    error?: { code: number; message: string; data?: unknown; details?: unknown };
    result?: Result;
  };
  if (error === undefined && status >= 400) {
    const { code, detail } = body as { code: string; detail: string };
    return { error: { code: status, message: detail, details: [], reason: code } };
  }
  if (error === undefined) return { result: binding === "JSONRPC" ? result! : (body as Result) };
  const details = ((binding === "JSONRPC" ? error.data : error.details) ??
    []) as A2aError["details"];
  const info = details.find((detail) => detail["@type"].endsWith("/google.rpc.ErrorInfo"));
  const reason = info?.["reason"] as string | undefined;
  return { error: { code: error.code, message: error.message, details, reason } };
}

let count = 0;

/** A SendMessageRequest with a message of its own. */
export function messageOf(text: string, more: object = {}, configuration?: object) {
  count += 1;
  return {
    message: { messageId: `m-${count}`, role: "ROLE_USER", parts: [{ text }], ...more },
    ...(configuration !== undefined && { configuration }),
  };
}

/** @returns the task as SendMessage has it. @throws when there is an error in its place. */
export async function sendA2a(
  desk: Pick<A2aDesk, "path" | "key">,
  params: Readonly<Record<string, unknown>>,
  binding: A2aBinding = "JSONRPC",
  options: A2aOptions = {},
): Promise<A2aTask> {
  const { error, result } = await callA2a<A2aStreamResponse>(
    desk,
    binding,
    "SendMessage",
    params,
    options,
  );
  if (result?.task === undefined) throw new Error(JSON.stringify(error ?? result));
  return result.task;
}

/** @returns the task as GetTask has it. */
export async function readTask(
  desk: Pick<A2aDesk, "path" | "key">,
  id: string,
  more: object = {},
): Promise<A2aTask> {
  const { error, result } = await callA2a<A2aTask>(desk, "JSONRPC", "GetTask", { id, ...more });
  if (result === undefined) throw new Error(JSON.stringify(error));
  return result;
}
