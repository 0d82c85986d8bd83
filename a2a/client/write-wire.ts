// Requests to an agent, as its interface wants them: JSON-RPC of 1.0 and 0.3, HTTP and JSON of 1.0.
import type { A2aMessage, A2aPart, A2aPushConfig } from "../../protocol/a2a/wire.ts";
import { isJsonObject } from "../../protocol/json-object.ts";
import type { ResolvedInterface } from "../cards/resolved-card.ts";

export type RemoteOperation =
  | {
      readonly type: "send";
      readonly message: A2aMessage;
      readonly streams: boolean;
      readonly returnImmediately: boolean;
      readonly acceptedOutputModes: readonly string[];
    }
  | { readonly type: "get" | "cancel" | "subscribe"; readonly taskId: string }
  | { readonly type: "create_push"; readonly taskId: string; readonly config: RemotePushConfig }
  | { readonly type: "delete_push"; readonly taskId: string; readonly configId: string };

/** An address that is told of a task's changes. Both ways to prove it carry the same secret: agents know one of them. */
export interface RemotePushConfig {
  readonly id: string;
  readonly url: string;
  readonly secret: string;
}

export interface WireRequest {
  readonly url: string;
  readonly method: "GET" | "POST" | "DELETE";
  /** Null for a request without one. */
  readonly body: string | null;
  readonly contentType: string;
  /** Of JSON-RPC: the answer has to name it. Null where there is none. */
  readonly id: string | null;
}

export function writeRequest(
  { url, binding, version, tenant }: ResolvedInterface,
  operation: RemoteOperation,
): WireRequest {
  if (binding === "HTTP+JSON") return writeRest(url, tenant, operation);
  const id = crypto.randomUUID();
  const method = METHODS[version][methodOf(operation)];
  const params = version === "0.3" ? legacyParamsOf(operation) : paramsOf(operation);
  const named = tenant !== undefined && tenant !== "" ? { tenant, ...params } : params;
  const body = JSON.stringify({ jsonrpc: "2.0", id, method, params: named });
  return { url, method: "POST", body, contentType: "application/json", id };
}

type Method = Exclude<RemoteOperation["type"], "send"> | "send" | "stream";

const METHODS: Readonly<Record<"1.0" | "0.3", Readonly<Record<Method, string>>>> = {
  "1.0": {
    send: "SendMessage",
    stream: "SendStreamingMessage",
    get: "GetTask",
    cancel: "CancelTask",
    subscribe: "SubscribeToTask",
    create_push: "CreateTaskPushNotificationConfig",
    delete_push: "DeleteTaskPushNotificationConfig",
  },
  "0.3": {
    send: "message/send",
    stream: "message/stream",
    get: "tasks/get",
    cancel: "tasks/cancel",
    subscribe: "tasks/resubscribe",
    create_push: "tasks/pushNotificationConfig/set",
    delete_push: "tasks/pushNotificationConfig/delete",
  },
};

function methodOf(operation: RemoteOperation): Method {
  if (operation.type !== "send") return operation.type;
  return operation.streams ? "stream" : "send";
}

function paramsOf(operation: RemoteOperation) {
  switch (operation.type) {
    case "send":
      return sendParams(operation);
    case "create_push":
      return { taskId: operation.taskId, ...pushConfig(operation.config) };
    case "delete_push":
      return { taskId: operation.taskId, id: operation.configId };
    default:
      return { id: operation.taskId, ...(operation.type === "get" && { historyLength: 0 }) };
  }
}

function legacyParamsOf(operation: RemoteOperation) {
  switch (operation.type) {
    case "send":
      return legacyParams(operation);
    case "create_push": {
      const { id, url, secret } = operation.config;
      const authentication = { schemes: ["Bearer"], credentials: secret };
      const pushNotificationConfig = { id, url, token: secret, authentication };
      return { taskId: operation.taskId, pushNotificationConfig };
    }
    case "delete_push":
      return { id: operation.taskId, pushNotificationConfigId: operation.configId };
    default:
      return paramsOf(operation);
  }
}

function pushConfig({ id, url, secret }: RemotePushConfig): A2aPushConfig {
  return { id, url, token: secret, authentication: { scheme: "Bearer", credentials: secret } };
}

type Sending = Extract<RemoteOperation, { readonly type: "send" }>;

function sendParams({ message, acceptedOutputModes, returnImmediately, streams }: Sending) {
  const modes = acceptedOutputModes.length > 0 && { acceptedOutputModes };
  const returns = !streams && returnImmediately && { returnImmediately };
  return { message, configuration: { ...modes, ...returns, historyLength: 0 } };
}

function legacyParams({ message, acceptedOutputModes, returnImmediately, streams }: Sending) {
  const { role, parts, ...rest } = message;
  const legacy = {
    kind: "message",
    ...rest,
    role: role === "ROLE_USER" ? "user" : "agent",
    parts: parts.map(legacyPart),
  };
  const modes = acceptedOutputModes.length > 0 && { acceptedOutputModes };
  const blocks = !streams && { blocking: !returnImmediately };
  return { message: legacy, configuration: { ...modes, ...blocks, historyLength: 0 } };
}

function legacyPart({ text, raw, url, data, mediaType, filename, metadata }: A2aPart) {
  const about = metadata && { metadata };
  if (text !== undefined) return { kind: "text", text, ...about };
  const named = { ...(mediaType && { mimeType: mediaType }), ...(filename && { name: filename }) };
  if (raw !== undefined) return { kind: "file", file: { bytes: raw, ...named }, ...about };
  if (url !== undefined) return { kind: "file", file: { uri: url, ...named }, ...about };
  // 0.3 has objects alone.
  return { kind: "data", data: isJsonObject(data) ? data : { value: data }, ...about };
}

function writeRest(
  base: string,
  tenant: string | undefined,
  operation: RemoteOperation,
): WireRequest {
  const [address = "", query] = base.split("?", 2);
  const root = address.replace(/\/+$/, "");
  const place = tenant === undefined || tenant === "" ? "" : `/${segmentOf(tenant)}`;
  const at = (path: string, parameters = ""): string => {
    const all = [query, parameters].filter((one) => one !== undefined && one !== "").join("&");
    return `${root}${place}${path}${all === "" ? "" : `?${all}`}`;
  };
  const about = { contentType: "application/a2a+json", id: null } as const;
  if (operation.type === "send") {
    const path = operation.streams ? "/message:stream" : "/message:send";
    const body = JSON.stringify(sendParams(operation));
    return { url: at(path), method: "POST", body, ...about };
  }
  const task = `/tasks/${segmentOf(operation.taskId)}`;
  if (operation.type === "get") {
    return { url: at(task, "historyLength=0"), method: "GET", body: null, ...about };
  }
  const configs = `${task}/pushNotificationConfigs`;
  if (operation.type === "create_push") {
    const body = JSON.stringify(paramsOf(operation));
    return { url: at(configs), method: "POST", body, ...about };
  }
  if (operation.type === "delete_push") {
    const url = at(`${configs}/${segmentOf(operation.configId)}`);
    return { url, method: "DELETE", body: null, ...about };
  }
  // The text of the specification has a POST for both, its proto a GET for the second: see `subscribe` of the client.
  return { url: at(`${task}:${operation.type}`), method: "POST", body: "{}", ...about };
}

/** Half a character would make the encoding throw. */
function segmentOf(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}
