// Speaks to the Worker through its front door, as a client would.
import { env, exports } from "cloudflare:workers";

import type { Agent } from "../../../protocol/agents/contract.ts";
import type { Session } from "../../../protocol/sessions/contract.ts";
import type { CreatedTenant } from "../../../protocol/tenants/contract.ts";
import type { Problem } from "../../../protocol/problem.ts";
import { app } from "../../../worker/app.ts";

export interface Call {
  readonly key?: string;
  /** Sent as JSON. */
  readonly json?: unknown;
  readonly body?: BodyInit;
  readonly headers?: Readonly<Record<string, string>>;
  /** Of a platform of the test's own, such as one whose D1 is down. */
  readonly bindings?: Env;
}

export interface Answer<Body> {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed body; the empty object when it is no JSON. */
  readonly json: Body;
}

export function send(method: string, path: string, call: Call = {}): Promise<Response> {
  const headers = new Headers(call.headers);
  if (call.key !== undefined) headers.set("Authorization", `Bearer ${call.key}`);
  if (call.json !== undefined && !headers.has("Content-Type")) {
    headers.set("Content-Type", "application/json");
  }
  const body = call.json === undefined ? call.body : JSON.stringify(call.json);
  const request = new Request(`https://api.test${path}`, { method, headers, body });
  if (call.bindings) return Promise.resolve(app.fetch(request, call.bindings));
  return exports.default.fetch(request);
}

export async function ask<Body = Problem>(
  method: string,
  path: string,
  call: Call = {},
): Promise<Answer<Body>> {
  const { status, headers, text } = await readAnswer(await send(method, path, call));
  const isJson = /json(?:;|$)/.test((headers.get("Content-Type") ?? "").replace("ndjson", "lines"));
  return { status, headers, text, json: JSON.parse(isJson && text ? text : "{}") as Body };
}

async function readAnswer(response: Response) {
  // Not `text()`, at which the runtime warns when the type is another one: lines of JSON, pictures.
  const text = new TextDecoder().decode(await response.arrayBuffer());
  return { status: response.status, headers: response.headers, text };
}

export const OPERATOR = { key: env.OPERATOR_KEY };

/** A tenant of the test's own, and how it calls. */
export async function makeTenant(name = "Shoe shop") {
  const { json } = await ask<CreatedTenant>("POST", "/v1/tenants", { ...OPERATOR, json: { name } });
  return { ...json, call: { key: json.api_key } };
}

export async function makeAgent(
  call: Call,
  definition: object = { name: "Refund desk" },
): Promise<Agent> {
  return (await ask<Agent>("POST", "/v1/agents", { ...call, json: definition })).json;
}

export async function makeSession(call: Call, session: object): Promise<Session> {
  return (await ask<Session>("POST", "/v1/sessions", { ...call, json: session })).json;
}

/** A tenant with an open session on an agent of its own; the default is the scripted model without tools. */
export async function openSession(definition?: object) {
  const { id, call } = await makeTenant();
  const agent = await makeAgent(call, definition);
  const session = await makeSession(call, { agent_id: agent.id });
  return { tenantId: id, call, agent, session, path: `/v1/sessions/${session.id}` };
}

/** The parts of a problem that tell refusals apart. */
export function refusalOf({ status, json }: Answer<Problem>) {
  return { status, code: json.code, pointers: json.errors?.map((error) => error.pointer) };
}
