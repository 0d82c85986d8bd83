// Typical mistakes of those who begin: each a request, and what to do. The answers are the platform's own words.
import { MISTAKEN_TOOL as TOOL, type MistakeWorld } from "./mistake-world.ts";
import { oldHash, withConfirmed } from "./mistaken-answers.ts";
import type { RequestOptions } from "./platform-client.ts";

export interface Mistake {
  readonly what: string;
  readonly method: string;
  /** The path as the table shows it, with ids left out. */
  readonly shown: string;
  readonly path: (world: MistakeWorld) => string;
  /** The body as the table shows it; a function when it holds what the world made. */
  readonly body?: unknown;
  readonly send?: (world: MistakeWorld) => unknown;
  readonly options?: (world: MistakeWorld) => RequestOptions;
  readonly remedy: string;
}

const at = (method: string, shown: string) => ({ method, shown, path: () => shown });
const agents = at("POST", "/v1/agents");
const listed = at("GET", "/v1/agents");
const GOOGLE = "https://accounts.google.com";

function replies(name: "session" | "running" | "waiting" = "session") {
  const path = (world: MistakeWorld) => `/v1/sessions/${world[name]}/replies`;
  return { method: "POST", shown: "/v1/sessions/{id}/replies", path } as const;
}

function events(name: "session" | "waiting" = "waiting") {
  const path = (world: MistakeWorld) => `/v1/sessions/${world[name]}/events`;
  return { method: "POST", shown: "/v1/sessions/{id}/events", path } as const;
}

const strictly = {
  method: "POST",
  shown: "/v1/agents?strict=true",
  path: () => "/v1/agents?strict=true",
} as const;

function ruleOn(tool_name: string, rule_content: string | null = null): object {
  return { tool_name, rule_content, behavior: "deny" };
}

const withKey = (key: string) => () => ({ key });

export const MISTAKES: readonly Mistake[] = [
  {
    ...strictly,
    what: "A rule on a tool that is misspelled",
    body: { name: "Desk", tools: [TOOL], permission: { rules: [ruleOn("refund_ordr")] } },
    remedy: "Name a tool of the agent. Without `strict` it is a warning in the answer.",
  },
  {
    ...strictly,
    what: "A rule with a content, on a tool that names no argument",
    body: { name: "Desk", tools: [TOOL], permission: { rules: [ruleOn("refund_order", "A-1")] } },
    remedy: "Give the tool a `rule_argument`.",
  },
  {
    method: "POST",
    shown: "/v1/sessions/{id}/permission-rules?strict=true",
    path: ({ session }) => `/v1/sessions/${session}/permission-rules?strict=true`,
    what: "A rule of one session on a tool that is misspelled",
    body: { rules: [{ tool_name: "refund_ordr", behavior: "deny" }] },
    remedy: "Name a tool of the session's agent. Without `strict` the rule is added and warned of.",
  },
  {
    method: "POST",
    shown: "/v1/agents/{id}/check",
    path: ({ agent }) => `/v1/agents/${agent}/check`,
    what: "A check without a body",
    body: "",
    remedy: "Send `{}`.",
  },
  {
    ...at("POST", "/v1/files"),
    what: "A file whose type its bytes contradict",
    body: "Hello",
    options: () => ({ headers: { "content-type": "image/png" } }),
    remedy: "Send the type that it has, or none.",
  },
  {
    ...listed,
    what: "No credential",
    options: () => ({ key: undefined }),
    remedy: "Send `Authorization: Bearer <API key>`.",
  },
  {
    ...listed,
    what: "The key without `Bearer`",
    options: ({ key }) => ({ key: undefined, headers: { authorization: key } }),
    remedy: "Put `Bearer ` in front of the key.",
  },
  {
    ...listed,
    what: "A key of another platform",
    options: withKey("sk-live-123"),
    remedy: "Use a key that this platform made.",
  },
  {
    ...listed,
    what: "A key that was cut off when it was copied",
    options: ({ key }) => ({ key: key.slice(0, -1) }),
    remedy: "Copy the whole key.",
  },
  {
    ...listed,
    what: "A client token where an API key is needed",
    options: ({ token }) => ({ key: token }),
    remedy: "Manage from your server; apps use tokens for their session alone.",
  },
  {
    ...agents,
    what: "A key without the scope",
    body: { name: "Desk" },
    options: ({ narrowKey }) => ({ key: narrowKey }),
    remedy: "Create a key with the scope.",
  },
  {
    ...listed,
    what: "A key of a suspended tenant",
    options: ({ suspendedKey }) => ({ key: suspendedKey }),
    remedy: "Ask the operator.",
  },
  {
    ...at("POST", "/v1/operator/members"),
    what: "A tenant's role for one of the operator's people",
    body: { name: "Noor", role: "developer" },
    options: ({ operatorKey }) => ({ key: operatorKey }),
    remedy: "Use `owner`, `administrator` or `support`.",
  },
  {
    what: "A path with a typing error",
    ...at("POST", "/v1/agent"),
    body: { name: "Desk" },
    remedy: "Use the path that is named.",
  },
  {
    what: "A path without the version",
    ...at("GET", "/agents"),
    remedy: "Begin with `/v1`.",
  },
  {
    what: "A slash at the end",
    ...at("GET", "/v1/agents/"),
    remedy: "Leave it out.",
  },
  {
    what: "A method that the path does not take",
    ...at("PUT", "/v1/agents"),
    body: { name: "Desk" },
    remedy: "Use one of the methods in `Allow`.",
  },
  {
    what: "An id of another kind",
    method: "GET",
    shown: "/v1/agents/ses_…",
    path: ({ session }) => `/v1/agents/${session}`,
    remedy: "Agents begin with `agt_`, sessions with `ses_`.",
  },
  {
    what: "A session of another tenant",
    method: "GET",
    shown: "/v1/sessions/{id}",
    path: ({ foreign }) => `/v1/sessions/${foreign.session}`,
    remedy: "Use the key of the session's tenant.",
  },
  {
    what: "An agent of another tenant",
    ...at("POST", "/v1/sessions"),
    body: { agent_id: "agt_…" },
    send: ({ foreign }) => ({ agent_id: foreign.agent }),
    remedy: "Use an agent of your own.",
  },
  {
    ...agents,
    what: "A form in place of JSON",
    body: "name=Desk",
    options: ({ key }) => ({
      key,
      headers: { "content-type": "application/x-www-form-urlencoded" },
    }),
    remedy: "Send JSON with its content type.",
  },
  { ...agents, what: "No body", body: "", remedy: "Send a JSON object." },
  {
    ...agents,
    what: "A comma behind the last member",
    body: '{"name": "Desk",}',
    remedy: "Remove the comma.",
  },
  {
    ...agents,
    what: "Single quotes",
    body: "{'name': 'Desk'}",
    remedy: "JSON has double quotes only.",
  },
  {
    ...agents,
    what: "A list in place of an object",
    body: [{ name: "Desk" }],
    remedy: "Send one agent for each request.",
  },
  { ...agents, what: "A field that is missing", body: {}, remedy: "Add it." },
  {
    ...agents,
    what: "A name in camelCase",
    body: { name: "Desk", systemPrompt: "Be kind." },
    remedy: "Names are in snake_case.",
  },
  {
    ...agents,
    what: "A field of another API",
    body: { name: "Desk", instructions: "Be kind." },
    remedy: "`GET /docs` lists the fields.",
  },
  {
    ...agents,
    what: "A number as a text",
    body: { name: "Desk", max_iters: "5" },
    remedy: "Leave the quotes out.",
  },
  {
    ...agents,
    what: "A number out of range",
    body: { name: "Desk", max_iters: 0 },
    remedy: "Use a number within the bounds.",
  },
  {
    ...agents,
    what: "A model of an unknown provider",
    body: { name: "Desk", model: { provider: "openia", name: "gpt" } },
    remedy: "`openai` takes any compatible endpoint.",
  },
  {
    ...agents,
    what: "A tool of an unknown type",
    body: { name: "Desk", tools: [{ ...TOOL, type: "htpp" }] },
    remedy: "Use one of the types.",
  },
  {
    ...agents,
    what: "A tool with spaces in its name",
    body: { name: "Desk", tools: [{ ...TOOL, name: "refund order" }] },
    remedy: "Use letters, digits, `_` and `-`.",
  },
  {
    ...agents,
    what: "A tool's address with http",
    body: { name: "Desk", tools: [{ ...TOOL, url: "http://shop.example/refund" }] },
    remedy: "Use https.",
  },
  {
    ...agents,
    what: "A tool in a private network",
    body: { name: "Desk", tools: [{ ...TOOL, url: "https://10.0.0.5/refund" }] },
    remedy: "Give it a public host, or use an external tool.",
  },
  {
    ...agents,
    what: "An unknown type in a tool's schema",
    body: { name: "Desk", tools: [{ ...TOOL, input_schema: { type: "objekt" } }] },
    remedy: "Use a type of JSON Schema.",
  },
  {
    ...agents,
    what: "A confirmation's sentence with an unknown member",
    body: {
      name: "Desk",
      tools: [
        {
          ...TOOL,
          input_schema: { properties: { order_id: {} } },
          confirmation_message: "Refund {orderId}?",
        },
      ],
    },
    remedy: "Name a member of `input_schema.properties`.",
  },
  {
    ...agents,
    what: "A credential that is not there",
    body: { name: "Desk", tools: [{ ...TOOL, credential_id: "OPENAI_KEY" }] },
    remedy: "Store the secret with `POST /v1/credentials`, and name its id.",
  },
  {
    ...agents,
    what: "A permission mode with a typing error",
    body: { name: "Desk", permission: { mode: "defualt" } },
    remedy: "Use one of the modes.",
  },
  {
    what: "A scope with a typing error",
    ...at("POST", "/v1/api-keys"),
    body: { scopes: ["agent:read"] },
    remedy: "Use one of the scopes.",
  },
  {
    what: "A verb with a typing error",
    method: "POST",
    shown: "/v1/sessions/{id}/tokens",
    path: ({ session }) => `/v1/sessions/${session}/tokens`,
    body: { verbs: ["reads"] },
    remedy: "Use one of the verbs.",
  },
  {
    ...replies(),
    what: "`message` in place of `input`",
    body: { message: "Where is my order?" },
    remedy: "The text is the `input`.",
  },
  {
    ...replies(),
    what: "A system message",
    body: { input: { role: "system", content: "Be kind." } },
    remedy: "Write it into the agent's `system_prompt`.",
  },
  {
    ...replies(),
    what: "A file's ending in place of a media type",
    body: {
      input: [{ type: "data", source: { type: "base64", media_type: "jpg", data: "/9j/" } }],
    },
    remedy: "Send the media type.",
  },
  {
    ...replies("running"),
    what: "A second message while a reply runs",
    body: { input: "Hello?" },
    remedy: "Wait, or send `on_busy`.",
  },
  {
    ...replies("waiting"),
    what: "A message while a call waits for a person",
    body: { input: "Hello?" },
    remedy: "Answer the call first, or interrupt.",
  },
  {
    ...replies(),
    what: "An idempotency key with spaces",
    body: { input: "Hello" },
    options: ({ key }) => ({ key, headers: { "idempotency-key": "my first key" } }),
    remedy: "Use visible ASCII, such as a UUID.",
  },
  {
    ...events("session"),
    what: "The other answer to a call that was answered",
    body: { type: "USER_CONFIRM_RESULT", confirm_results: ["…"] },
    send: ({ answered }) => withConfirmed(answered),
    remedy: "The first answer counts.",
  },
  {
    ...events(),
    what: "An answer with an old hash",
    body: { type: "USER_CONFIRM_RESULT", metadata: { input_hashes: "…" } },
    send: oldHash,
    remedy: "Read the call again, and show its new input.",
  },
  {
    what: "A list that is too long",
    ...at("GET", "/v1/agents?limit=500"),
    remedy: "Read in pages of 100.",
  },
  {
    what: "A cursor beyond the end",
    method: "GET",
    shown: "/v1/sessions/{id}/events?after=99999",
    path: ({ fresh }) => `/v1/sessions/${fresh}/events?after=99999`,
    options: ({ key }) => ({ key, headers: { accept: "text/event-stream" } }),
    remedy: "Begin without a cursor.",
  },
  {
    what: "A page of another list",
    ...at("GET", "/v1/agents?page=2"),
    remedy: "Send the last answer's `next_page`.",
  },
  {
    what: "A sign-in provider by the address of its configuration",
    ...at("POST", "/v1/sign-in-providers"),
    body: { name: "Google", issuer: `${GOOGLE}/.well-known/openid-configuration`, client_id: "c" },
    remedy: "Send `https://accounts.google.com`.",
  },
  {
    what: "A search for marks alone",
    method: "GET",
    shown: "/v1/sessions?search=*",
    path: () => "/v1/sessions?search=*",
    remedy: "Search for words: a `*` means nothing.",
  },
];
