// Agents and their versions.
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

export const AGENTS = {
  tags: {
    Agents: "What answers: a prompt, a model, tools. A change makes a new version.",
  },
  operations: {
    createAgent: {
      tag: "Agents",
      summary: "Make an agent",
      description: "The name is enough: what is left out has a default, the embedded model too.",
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
      description: "Newest first, each in its newest version.",
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
        "Makes a new version; sessions keep the one that they were opened with. A change that changes nothing makes none.",
      body: { schema: "AgentUpdate", examples: ["newPrompt"] },
      answers: { 200: { description: "The agent as it is now.", json: "Agent" } },
      errors: ["conflict", "quota_exceeded"],
    },
    deleteAgent: {
      tag: "Agents",
      summary: "Remove an agent",
      description: "No new session can be opened on it; open ones keep their version and go on.",
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
      description: "What the agent was then; a version never changes.",
      answers: { 200: { description: "The version.", json: "AgentVersion" } },
    },
  },
  pathParameters: {
    agent_id: "The agent.",
    version: "A version of the agent; the first is 1.",
  },
  requestSchemas: {
    AgentCreate: AgentCreateSchema,
    AgentUpdate: AgentUpdateSchema,
  },
  answerSchemas: {
    Agent: AgentSchema,
    AgentPage: AgentPageSchema,
    AgentVersion: AgentVersionSchema,
    AgentVersionPage: AgentVersionPageSchema,
  },
  schemaDescriptions: {
    Agent: "An agent as it stands in its newest version.",
    AgentCreate: "A new agent. The name is enough: the default model is scripted and needs no key.",
    AgentVersion: "What an agent was at one of its versions; it never changes.",
    AgentUpdate: "What is left out stays as it is. A change makes a new version.",
  },
  fieldDescriptions: {
    confirmation_ttl:
      "Seconds that a person has to answer whether a call may run; after that it is denied. A day when left out.",
    on_limit:
      "What becomes of a reply when a quota of the tenant is used up before it has come to its end: `end` ends it with the error `quota_exceeded`, `park` lets it wait until there is room. `end` when left out.",
    "Agent.fallback_models": "Models that are asked in this order when the one before them fails.",
    "Agent.max_iters": "Rounds of model call and tools before a reply ends with exceed_max_iters.",
    "Agent.model": "The model that thinks for the agent.",
    "Agent.structured_output":
      "JSON Schema of an object that replies fill in when their request says nothing; null for a text.",
    "Agent.permission": "Which tool calls run, and which have to be asked for.",
    "Agent.permission.mode": "What happens to a call that no rule decides.",
    "Agent.permission.rules":
      "Rules for whole tools, or for calls whose input matches. Deny comes before ask, ask before allow.",
    "Agent.permission.rules.behavior": "What the rule says.",
    "Agent.permission.rules.rule_content":
      "Which calls of the tool, as the tool's `rule_syntax` says; null or empty means all.",
    "Agent.permission.rules.source": "Who made the rule, in the tenant's own words.",
    "Agent.permission.rules.tool_name": "The tool that the rule is about.",
    "Agent.system_prompt": "What the model is told before the conversation.",
    "Agent.tools": "The tools that the model may call. Names are unique.",
    "Agent.updated_at": "When its newest version was made.",
    "Agent.version": "Counts from 1; each change adds one.",
    "Agent.shared_state":
      "What the model may do with the state of its sessions; it is shown to the model in any case.",
    "Agent.shared_state.enabled":
      "Whether the model may change the state, with the tool `update_shared_state`.",
    "Agent.shared_state.schema":
      "JSON Schema of an object that every changed state has to fit, whoever changes it.",
    "Agent.budget":
      "What one reply may use up before it is ended with an error. The platform's own limits hold when it is left out.",
    "Agent.budget.max_seconds":
      "Seconds that a reply may run, across restarts; waiting for people and systems outside does not count. 7,200 when left out.",
    "Agent.budget.max_tokens":
      "Input and output tokens of a reply's model calls together. Looked at before each call, so the last one may go beyond.",
  },
  examples: {
    smallestAgent: { summary: "The smallest agent", value: { name: "Refund desk" } },
    refundDesk: { summary: "The refund desk, with a tool", value: refundDesk },
    refundDeskAgent: { summary: "The refund desk", value: agent },
    newPrompt: {
      summary: "Another prompt",
      value: { system_prompt: "Be brief, and look every order up first." },
    },
  },
} as const satisfies Resource;
