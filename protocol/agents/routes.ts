// Routes on agents and their versions.
import {
  AgentCreateSchema,
  AgentUpdateSchema,
  AgentVersionUpdateSchema,
  AgentDefinitionSchema,
  AgentPageSchema,
  AgentSchema,
  WrittenAgentSchema,
  AgentVersionPageSchema,
  AgentVersionSchema,
} from "./contract.ts";
import { PageQuerySchema } from "../schemas/common.ts";
import { WriteQuerySchema } from "../schemas/write-query.ts";
import { AgentCheckCreateSchema, AgentCheckSchema } from "./agent-check.ts";
import { RemoteAgentListSchema } from "./remote-agents.ts";
import type { Contract, DocumentedRoute } from "../requests/contract.ts";
import { AGENT_WORDS } from "./words.ts";
import { AGENT_EXAMPLES } from "./examples.ts";

const AGENT_ROUTES = [
  {
    name: "createAgent",
    method: "POST",
    path: "/v1/agents",
    access: "agents:write",
    keeps_keys: "database",
    validates_only: true,
    body: "json",
    tag: "Agents",
    summary: "Create an agent",
    description:
      "Only the name is required: other members have defaults, such as the embedded model. With `validate_only=true` the request is checked as it would be, credentials and addresses included, and nothing is written: no quota is asked or used, and an Idempotency-Key has no effect.",
    query: WriteQuerySchema,
    request: { json: AgentCreateSchema, examples: ["smallestAgent", "refundDesk"] },
    answers: {
      200: {
        description: "With `validate_only`: the definition as it would be stored.",
        json: AgentDefinitionSchema,
      },
      201: {
        description: "The agent, in version 1.",
        json: WrittenAgentSchema,
        headers: ["Location"],
        examples: ["refundDeskAgent"],
      },
    },
    errors: ["quota_exceeded"],
  },

  {
    name: "listAgents",
    method: "GET",
    path: "/v1/agents",
    access: "agents:read",
    body: "none",
    tag: "Agents",
    summary: "List agents",
    description: "Newest first, each with its newest version.",
    query: PageQuerySchema,
    answers: { 200: { description: "A page of agents.", json: AgentPageSchema } },
  },

  {
    name: "readAgent",
    method: "GET",
    path: "/v1/agents/{agent_id}",
    access: "agents:read",
    body: "none",
    tag: "Agents",
    summary: "Get an agent",
    description: "In its newest version.",
    answers: {
      200: { description: "The agent.", json: AgentSchema, examples: ["refundDeskAgent"] },
    },
  },

  {
    name: "updateAgent",
    method: "PATCH",
    path: "/v1/agents/{agent_id}",
    access: "agents:write",
    body: "json",
    tag: "Agents",
    summary: "Update an agent",
    description:
      "Creates a new version; sessions keep the one that they were opened with. A request that changes nothing creates none. With `validate_only=true` nothing is written, and the answer is the agent with the changes, in the version that it has.",
    query: WriteQuerySchema,
    request: { json: AgentUpdateSchema, examples: ["newPrompt"] },
    answers: { 200: { description: "The agent as it is now.", json: WrittenAgentSchema } },
    errors: ["conflict", "quota_exceeded"],
  },

  {
    name: "deleteAgent",
    method: "DELETE",
    path: "/v1/agents/{agent_id}",
    access: "agents:write",
    body: "none",
    tag: "Agents",
    summary: "Delete an agent",
    description:
      "No new session can be opened with it; existing ones keep their version and continue.",
    answers: { 204: { description: "The agent is removed." } },
  },

  {
    name: "listAgentVersions",
    method: "GET",
    path: "/v1/agents/{agent_id}/versions",
    access: "agents:read",
    body: "none",
    tag: "Agents",
    summary: "List an agent's versions",
    description: "Newest first.",
    query: PageQuerySchema,
    answers: { 200: { description: "A page of versions.", json: AgentVersionPageSchema } },
  },

  {
    name: "readAgentVersion",
    method: "GET",
    path: "/v1/agents/{agent_id}/versions/{version}",
    access: "agents:read",
    body: "none",
    tag: "Agents",
    summary: "Get a version of an agent",
    description: "The agent's definition in that version, which never changes.",
    answers: { 200: { description: "The version.", json: AgentVersionSchema } },
  },

  {
    name: "updateAgentVersion",
    method: "PATCH",
    path: "/v1/agents/{agent_id}/versions/{version}",
    access: "agents:write",
    body: "small",
    tag: "Agents",
    summary: "Retire a version of an agent",
    description: [
      "A retired version is given to no session, fork or call by hand any more (409 `conflict`); a session that has it finishes",
      "the reply that runs or waits, and its next one begins with the newest version, which it then keeps. The newest",
      "version is not retired. `false` brings a version back for those that name it from then on; sessions that have left it",
      "stay where they are. Repeating it is safe.",
    ].join(" "),
    request: { json: AgentVersionUpdateSchema, examples: ["retiredVersion"] },
    answers: { 200: { description: "The version as it is now.", json: AgentVersionSchema } },
    errors: ["conflict"],
  },

  {
    name: "checkAgent",
    method: "POST",
    path: "/v1/agents/{agent_id}/check",
    access: "agents:write",
    body: "small",
    tag: "Agents",
    summary: "Check an agent",
    description: [
      "Asks the model and each fallback model for one token, and each http tool's server whether it is there: OPTIONS",
      "to its `url`, or GET to its `check_url`, with the tool's headers and secrets. Runs no tool. A few at a time, 15",
      "seconds for each and 20 for all. It counts as a running reply meanwhile, and its tokens count for the day's quota.",
      "The answer is 200 whatever was found.",
    ].join(" "),
    request: { json: AgentCheckCreateSchema, examples: ["checkNewest"] },
    answers: {
      200: { description: "What was found.", json: AgentCheckSchema, examples: ["checkedAgent"] },
    },
    errors: ["quota_exceeded"],
  },

  {
    name: "listRemoteAgents",
    method: "GET",
    path: "/v1/agents/{agent_id}/remote-agents",
    access: "agents:read",
    body: "none",
    tag: "Agents",
    summary: "List the agents of other systems that an agent has",
    description: [
      "The one that gives the replies, and those that tools of the type `a2a` call, in the newest version. The card of each is",
      "read now, within 20 seconds for all: the agents themselves are asked nothing. It counts as a call of a tool meanwhile.",
      "Tasks that wait there are in the lists of tasks of the sessions whose replies run.",
    ].join(" "),
    answers: {
      200: { description: "The agents.", json: RemoteAgentListSchema, examples: ["remoteAgents"] },
    },
    errors: ["quota_exceeded"],
  },
] as const satisfies readonly DocumentedRoute[];

export const AGENT_CONTRACT = {
  tags: {
    Agents: "Definitions of agents: a prompt, a model, tools. A change creates a new version.",
  },
  routes: AGENT_ROUTES,
  pathParameters: {
    agent_id: { form: "agt", description: "The agent." },
    version: { form: "number", description: "A version of the agent; the first is 1." },
  },
  fields: AGENT_WORDS,
  examples: AGENT_EXAMPLES,
} as const satisfies Contract;
