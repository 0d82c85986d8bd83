// Parameters of a route: those of its path, its query and its headers, each a component that routes share.
import { PATH_PARAMETERS, type Route } from "../protocol/api/routes/routes.ts";
import type { JsonSchema, Parameter, Reference } from "./document-types.ts";
import { refTo } from "./document-types.ts";
import { componentName, REQUEST_HEADERS } from "./headers.ts";
import { toRequestSchema } from "./json-schemas.ts";
import type { Operation } from "./operation.ts";

const PATH_DESCRIPTIONS: Readonly<Record<string, string>> = {
  tenant_id: "The tenant.",
  key_id: "The API key; its id, not the key itself.",
  credential_id: "The credential.",
  agent_id: "The agent.",
  version: "A version of the agent; the first is 1.",
  session_id: "The session.",
  reply_id: "The reply.",
  token_id: "The client token; its id, not the token itself.",
  callback_token: "The signed part of the address that a webhook carried.",
  inbound_endpoint_id: "The inbound endpoint.",
  endpoint_id: "The webhook endpoint.",
  delivery_id: "The delivery.",
  message_id: "The message; an assistant's has its reply's id.",
  rule_id: "The rule; an agent's own have no id.",
};

const QUERY_DESCRIPTIONS: Readonly<Record<string, string>> = {
  action: "Only acts of this kind.",
  actor_id: "Only what this API key did.",
  after:
    "Events above this seq, or after the frame with this id in the `format`; `Last-Event-ID` wins over it. From the beginning when left out.",
  agent_id: "Only what belongs to this agent.",
  asked_after: "Only calls that were asked about at this moment or later.",
  asked_before: "Only calls that were asked about before this moment.",
  cascade:
    "`true` takes the keys along that it made, those that they made, and the client tokens of all of them.",
  created_after: "Only what was made at this moment or later.",
  created_before: "Only what was made before this moment.",
  end_user_id: "Only sessions of this end user.",
  expires_before: "Only calls whose time runs out before this moment.",
  follow: "`session` keeps the stream open between replies.",
  format:
    "The dialect of the events: `agentscope` is the log's own; `agentscope-java` is that of AgentScope for Java, and `ag-ui` that of the Agent User Interaction Protocol 1.0; docs/protocol.md compares them with it.",
  from: "The first day, itself included.",
  group_by: "`day`, `agent`, `model`, or several of them with commas between.",
  kind: "`permission` for what a person confirms, `external_result` for what a system outside does.",
  limit: "Items on the page at most.",
  page: "The `next_page` of the page before.",
  queued:
    "Replies that wait for their turn go on with `keep`, and end without having run with `drop`.",
  reason: "`leaked`: somebody has it who should not. It does what `cascade` does.",
  raw: "With `true` the log's own events come along with AG-UI's, as RAW.",
  reply_id: "Only this reply's events; its stream ends with it.",
  session_id: "Only what belongs to this session.",
  status: "Only what is in this state.",
  stream:
    "`true` answers with the events that follow, `false` with a receipt, whatever `Accept` says.",
  target_id: "Only acts on what has this id.",
  tenant_id: "The tenant: the operator names it, a tenant's own key may leave it out.",
  token:
    "A stream ticket, for `EventSource`, which sends no headers. Addresses are kept in logs: never a client token or an API key, which belong in `Authorization`.",
  thread_id: "The thread, as in `threadId`: a session's id, or a name of the client's own.",
  to: "The last day, itself included; today when left out.",
  tool_name: "Only calls of this tool.",
  type: "Only messages of this type.",
};

/** Adds the parameters to `shared` and answers with references to them. */
export function parametersOf(
  route: Route,
  operation: Operation,
  shared: Record<string, Parameter>,
): readonly Reference[] {
  const own: readonly Parameter[] = [
    ...pathParameters(route),
    ...queryParameters(operation),
    REQUEST_HEADERS["X-Request-Id"],
    ...(route.keeps_keys === undefined ? [] : [REQUEST_HEADERS["Idempotency-Key"]]),
    ...(operation.headers ?? []).map((name) => REQUEST_HEADERS[name]),
  ];
  return own.map((parameter) => refTo("parameters", share(parameter, shared)));
}

/** Parameters of one name that differ, such as two kinds of `status`, get a number. */
function share(parameter: Parameter, shared: Record<string, Parameter>): string {
  const base = componentName(`${parameter.in}_${parameter.name}`);
  for (let count = 1; ; count += 1) {
    const name = count === 1 ? base : `${base}${count}`;
    const known = shared[name];
    if (known && JSON.stringify(known) !== JSON.stringify(parameter)) continue;
    shared[name] = parameter;
    return name;
  }
}

function pathParameters({ path }: Route): readonly Parameter[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => ({
    name,
    in: "path",
    required: true,
    description: describe(PATH_DESCRIPTIONS, name),
    schema:
      PATH_PARAMETERS[name] === "number" ? { type: "integer", minimum: 1 } : { type: "string" },
  }));
}

function queryParameters({ query }: Operation): readonly Parameter[] {
  if (!query) return [];
  const { properties = {}, required = [] } = toRequestSchema(query) as {
    properties?: Readonly<Record<string, JsonSchema>>;
    required?: readonly string[];
  };
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: "query",
    ...(required.includes(name) && { required: true }),
    description: describe(QUERY_DESCRIPTIONS, name),
    schema: asText(schema),
  }));
}

/** A list that travels as one text, `a,b`: its default too is shown as it travels. */
function asText(schema: JsonSchema): JsonSchema {
  const isList = schema["type"] === "string" && Array.isArray(schema["default"]);
  return isList ? { ...schema, default: (schema["default"] as unknown[]).join(",") } : schema;
}

function describe(descriptions: Readonly<Record<string, string>>, name: string): string {
  const description = descriptions[name];
  if (description === undefined) throw new Error(`nobody has described the parameter ${name}`);
  return description;
}
