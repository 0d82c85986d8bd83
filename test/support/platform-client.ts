// A client for black-box tests of the platform: plain HTTP, no code of the server's.
import { inject } from "vitest";

export interface Answer<Body> {
  readonly status: number;
  readonly headers: Headers;
  /** Parsed JSON, taken for the type that the test names; null when the body is empty. */
  readonly body: Body;
}

export interface RequestOptions {
  /** The bearer credential; none when left out. */
  readonly key?: string;
  /** Sent as JSON; a string is sent as it is. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Frame {
  /** The event's seq. */
  readonly id: number;
  readonly event: string;
  readonly data: string;
}

interface Created {
  readonly id: string;
}

export interface TestTenant {
  readonly id: string;
  /** A live key with all scopes. */
  readonly key: string;
}

/** A tenant of the test's own. */
export async function createTenant(name = "A test's tenant"): Promise<TestTenant> {
  const key = inject("operatorKey");
  const tenant = await request<Created>("POST", "/v1/tenants", { key, body: { name } });
  const created = await request<Created & { api_key: string }>("POST", "/v1/api-keys", {
    key,
    body: { tenant_id: tenant.body.id },
  });
  return { id: tenant.body.id, key: created.body.api_key };
}

/** An agent on the scripted model, as fast as it can, with the lookup tool. @returns its id. */
export async function createAgent(key: string, overrides: object = {}): Promise<string> {
  const agent = await request<Created>("POST", "/v1/agents", {
    key,
    body: {
      name: "Refund desk",
      model: { provider: "scripted", name: "refund-desk" },
      tools: [
        {
          type: "http",
          name: "lookup_order",
          input_schema: {
            type: "object",
            properties: { order_id: { type: "string" } },
            required: ["order_id"],
          },
          url: `${inject("toolsUrl")}/lookup_order`,
          read_only: true,
          concurrency_safe: true,
          idempotent: true,
        },
      ],
      ...overrides,
    },
  });
  return agent.body.id;
}

/** A session on an agent, a fresh one when none is named. @returns its id. */
export async function createSession(key: string, agentId?: string): Promise<string> {
  const agent_id = agentId ?? (await createAgent(key));
  return (await request<Created>("POST", "/v1/sessions", { key, body: { agent_id } })).body.id;
}

/** One request, with its answer read to the end. */
export async function request<Body = Record<string, unknown>>(
  method: string,
  path: string,
  options: RequestOptions = {},
): Promise<Answer<Body>> {
  const response = await openRequest(method, path, options);
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: (text ? JSON.parse(text) : null) as Body,
  };
}

/** One request whose body the test reads itself, such as a stream. */
export function openRequest(
  method: string,
  path: string,
  { key, body, headers = {} }: RequestOptions = {},
): Promise<Response> {
  return fetch(`${inject("baseUrl")}${path}`, {
    method,
    headers: {
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...(body !== undefined && { "content-type": "application/json" }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
}

/**
 * Reads an SSE body into its frames; comments and `retry` are left out.
 * @param until Ends the reading, and the connection, after the first frame for which it is true.
 */
export async function readSse(
  response: Response,
  { until }: { readonly until?: (frame: Frame) => boolean } = {},
): Promise<Frame[]> {
  const frames: Frame[] = [];
  if (!response.body) return frames;
  let buffer = "";
  for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
    const parts = (buffer + text).split("\n\n");
    buffer = parts.pop() ?? "";
    for (const part of parts) {
      const frame = readFrame(part);
      if (!frame) continue;
      frames.push(frame);
      if (until?.(frame)) return frames;
    }
  }
  return frames;
}

function readFrame(text: string): Frame | null {
  const fields = new Map<string, string>();
  for (const line of text.split("\n")) {
    const [, name, value] = /^(\w+): (.*)$/.exec(line) ?? [];
    if (name !== undefined && value !== undefined) fields.set(name, value);
  }
  const data = fields.get("data");
  return data === undefined
    ? null
    : { id: Number(fields.get("id")), event: fields.get("event") ?? "", data };
}
