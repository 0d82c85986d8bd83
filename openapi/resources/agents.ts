// Agents and their versions.
import {
  AgentCheckCreateSchema,
  AgentCheckSchema,
  ModelCheckSchema,
  ToolCheckSchema,
} from "../../protocol/api/agent-check.ts";
import { AgentCreateSchema, AgentUpdateSchema } from "../../protocol/api/agents.ts";
import {
  AgentPageSchema,
  AgentSchema,
  AgentVersionPageSchema,
  AgentVersionSchema,
} from "../../protocol/api/answers/responses.ts";
import { PageQuerySchema } from "../../protocol/api/schemas/common.ts";
import { noContent } from "../operation.ts";
import { AGENT_ID, EXAMPLE_TIME } from "../refund-desk.ts";
import type { Resource } from "../resource.ts";

const lookUpOrder = {
  type: "http",
  name: "lookup_order",
  description: "What was ordered, and where it is.",
  input_schema: {
    type: "object",
    properties: { order_id: { type: "string" } },
    required: ["order_id"],
    additionalProperties: false,
  },
  url: "https://shop.example/tools/lookup_order",
  read_only: true,
  concurrency_safe: true,
  idempotent: true,
};

const refundDesk = {
  name: "Refund desk",
  system_prompt: "Look an order up before you say anything about it.",
  model: { provider: "scripted", name: "refund-desk", parameters: { tokens_per_second: 40 } },
  tools: [lookUpOrder],
};

const agent = {
  ...refundDesk,
  tools: [{ ...lookUpOrder, timeout_ms: 30_000, max_bytes: 1_000_000 }],
  max_iters: 20,
  permission: { mode: "default", rules: [] },
  metadata: {},
  id: AGENT_ID,
  version: 1,
  created_at: EXAMPLE_TIME,
  updated_at: EXAMPLE_TIME,
};

const checked = {
  agent_id: AGENT_ID,
  version: 1,
  ok: true,
  model: {
    name: "refund-desk",
    provider: "scripted",
    credential_id: null,
    status: "ok",
    host: null,
    http_status: null,
    kind: null,
    code: null,
    message: null,
    duration_ms: 0,
    note: "The embedded model needs no network.",
    hint: null,
  },
  fallbacks: [],
  tools: [
    {
      name: "lookup_order",
      type: "http",
      method: "OPTIONS",
      status: "warning",
      host: "shop.example",
      http_status: 401,
      kind: "credential_refused",
      code: null,
      message: null,
      duration_ms: 48,
      note: "The server answered 401.",
      hint: "The definition names no credential: give it a credential_id.",
    },
  ],
  tokens: 0,
};

export const AGENTS = {
  tags: {
    Agents: "Definitions of agents: a prompt, a model, tools. A change creates a new version.",
  },
  operations: {
    createAgent: {
      tag: "Agents",
      summary: "Create an agent",
      description:
        "Only the name is required: other members have defaults, such as the embedded model.",
      body: { schema: "AgentCreate", examples: ["smallestAgent", "refundDesk"] },
      answers: {
        201: {
          description: "The agent, in version 1.",
          json: "Agent",
          headers: ["Location"],
          examples: ["refundDeskAgent"],
        },
      },
      errors: ["quota_exceeded"],
    },
    listAgents: {
      tag: "Agents",
      summary: "List agents",
      description: "Newest first, each with its newest version.",
      query: PageQuerySchema,
      answers: { 200: { description: "A page of agents.", json: "AgentPage" } },
    },
    readAgent: {
      tag: "Agents",
      summary: "Read an agent",
      description: "In its newest version.",
      answers: {
        200: { description: "The agent.", json: "Agent", examples: ["refundDeskAgent"] },
      },
    },
    updateAgent: {
      tag: "Agents",
      summary: "Change an agent",
      description:
        "Creates a new version; sessions keep the one that they were opened with. A request that changes nothing creates none.",
      body: { schema: "AgentUpdate", examples: ["newPrompt"] },
      answers: { 200: { description: "The agent as it is now.", json: "Agent" } },
      errors: ["conflict", "quota_exceeded"],
    },
    deleteAgent: {
      tag: "Agents",
      summary: "Remove an agent",
      description:
        "No new session can be opened with it; existing ones keep their version and continue.",
      answers: { 204: noContent("The agent is removed.") },
    },
    listAgentVersions: {
      tag: "Agents",
      summary: "List an agent's versions",
      description: "Newest first.",
      query: PageQuerySchema,
      answers: { 200: { description: "A page of versions.", json: "AgentVersionPage" } },
    },
    readAgentVersion: {
      tag: "Agents",
      summary: "Read a version of an agent",
      description: "The agent's definition in that version; a version never changes.",
      answers: { 200: { description: "The version.", json: "AgentVersion" } },
    },
    checkAgent: {
      tag: "Agents",
      summary: "Check an agent",
      description: [
        "Asks the model and each fallback model for one token, and each http tool's server whether it is there: OPTIONS",
        "to its `url`, or GET to its `check_url`, with the tool's headers and secrets. Runs no tool. A few at a time, 15",
        "seconds for each and 20 for all. It counts as a running reply meanwhile, and its tokens count for the day's quota.",
        "The answer is 200 whatever was found.",
      ].join(" "),
      body: { schema: "AgentCheckCreate", examples: ["checkNewest"] },
      answers: {
        200: { description: "What was found.", json: "AgentCheck", examples: ["checkedAgent"] },
      },
      errors: ["quota_exceeded"],
    },
  },
  pathParameters: {
    agent_id: "The agent.",
    version: "A version of the agent; the first is 1.",
  },
  requestSchemas: {
    AgentCreate: AgentCreateSchema,
    AgentUpdate: AgentUpdateSchema,
    AgentCheckCreate: AgentCheckCreateSchema,
  },
  answerSchemas: {
    Agent: AgentSchema,
    AgentPage: AgentPageSchema,
    AgentVersion: AgentVersionSchema,
    AgentVersionPage: AgentVersionPageSchema,
    AgentCheck: AgentCheckSchema,
    ModelCheck: ModelCheckSchema,
    ToolCheck: ToolCheckSchema,
  },
  schemaDescriptions: {
    Agent: "An agent in its newest version.",
    AgentCreate:
      "A new agent. Only the name is required: the default model is scripted and needs no key.",
    AgentCheck: "What a check of an agent has found.",
    AgentCheckCreate: "What to check.",
    ModelCheck: "What was found of a model.",
    ToolCheck: "What was found of a tool.",
    AgentVersion: "An agent's definition in one version; it never changes.",
    AgentUpdate: "Members that are left out do not change. A change creates a new version.",
  },
  fieldDescriptions: {
    confirmation_ttl:
      "Seconds in which a person has to confirm a call; after that it is denied. A day when left out.",
    on_limit:
      "What happens to a reply when a quota of the tenant is used up before it has ended: `end` ends it with the error `quota_exceeded`, `park` lets it wait until there is room. `end` when left out.",
    "Agent.fallback_models": "Models that are used in this order when the one before fails.",
    "Agent.allowed_models":
      "Further models that a reply may ask for by name, beside the agent's own and its fallbacks.",
    "Agent.max_iters": "Rounds of model call and tools before a reply ends with exceed_max_iters.",
    "Agent.model": "The agent's model.",
    "Agent.structured_output":
      "JSON Schema of the structured output of replies whose request has none; null for a text.",
    "Agent.permission": "The permission mode and rules for tool calls.",
    "Agent.permission.mode": "The decision for calls that no rule matches.",
    "Agent.permission.rules":
      "Rules for all calls of a tool, or for calls whose input matches. Deny rules take precedence over ask rules, and these over allow rules.",
    "Agent.permission.rules.behavior": "The decision for matching calls.",
    "Agent.permission.rules.rule_content":
      "Which calls of the tool, as the tool's `rule_syntax` says; null or empty means all.",
    "Agent.permission.rules.source": "Who added the rule, in the tenant's own words.",
    "Agent.permission.rules.tool_name": "The name of the tool.",
    "Agent.system_prompt": "The system prompt of each model call.",
    "Agent.tools": "The tools that the model may call. Names are unique.",
    "Agent.updated_at": "When its newest version was created.",
    "Agent.version": "Counts from 1; each change adds one.",
    "Agent.shared_state":
      "What the model may do with the shared state of its sessions, which it always sees.",
    "Agent.shared_state.enabled":
      "Whether the model may change the state, with the tool `update_shared_state`.",
    "Agent.shared_state.schema":
      "JSON Schema of an object that every changed state has to fit, for changes of the model and of clients.",
    "AgentCheck.ok": "Whether nothing has failed; warnings leave it true.",
    "AgentCheck.model": "The agent's model.",
    "AgentCheck.fallbacks": "Its fallback models, in their order.",
    "AgentCheck.tools": "Its tools, in their order.",
    "AgentCheck.tokens": "Tokens that the check has used.",
    "AgentCheck.version": "The version that was checked; in a request, the newest when left out.",
    "ModelCheck.provider": "The adapter that asked it.",
    "ModelCheck.credential_id": "The credential that was sent, or null.",
    "ToolCheck.type": "The kind of tool. Only http tools are asked.",
    "ToolCheck.method": "The method of the request, or null when none was sent.",
    "ModelCheck.name": "The model's name.",
    "ModelCheck.status":
      "`warning`: it was reached, but calls may be refused, or it could not be checked.",
    "ModelCheck.host": "Host and port that were asked, or null when nothing was sent.",
    "ModelCheck.http_status":
      "The HTTP status of a model that refused or of a tool's server, or null.",
    "ModelCheck.kind": "What went wrong, or null.",
    "ModelCheck.code": "The other side's error code, or null.",
    "ModelCheck.message": "The other side's message, redacted and cut, or null.",
    "ModelCheck.note": "What was found, in words.",
    "ModelCheck.hint": "What to do next, or null.",
    "ToolCheck.name": "The tool's name.",
    "ToolCheck.status":
      "`warning`: it was reached, but calls may be refused, or it could not be checked.",
    "ToolCheck.host": "Host and port that were asked, or null when nothing was sent.",
    "ToolCheck.http_status":
      "The HTTP status of a model that refused or of a tool's server, or null.",
    "ToolCheck.kind": "What went wrong, or null.",
    "ToolCheck.code": "The other side's error code, or null.",
    "ToolCheck.message": "The other side's message, redacted and cut, or null.",
    "ToolCheck.note": "What was found, in words.",
    "ToolCheck.hint": "What to do next, or null.",
    "Agent.budget":
      "The budget of one reply; a reply beyond it is ended with an error. The platform's own limits apply when left out.",
    "Agent.budget.max_seconds":
      "Seconds that a reply may run, across restarts; waiting for people and external systems does not count. 7,200 when left out.",
    "Agent.budget.max_tokens":
      "Input and output tokens of a reply's model calls together. Checked before each call, so the last one may exceed it.",
  },
  examples: {
    smallestAgent: { summary: "The smallest agent", value: { name: "Refund desk" } },
    refundDesk: { summary: "The refund desk, with a tool", value: refundDesk },
    refundDeskAgent: { summary: "The refund desk", value: agent },
    checkNewest: { summary: "The newest version", value: {} },
    checkedAgent: { summary: "A tool whose server wants a credential", value: checked },
    newPrompt: {
      summary: "Another prompt",
      value: { system_prompt: "Be brief, and look every order up first." },
    },
  },
} as const satisfies Resource;
