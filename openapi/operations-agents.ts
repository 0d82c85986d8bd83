import { PageQuerySchema } from "../protocol/api/schemas/common.ts";
import { noContent, type Operation } from "./operation.ts";

export const AGENT_OPERATIONS = {
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
} as const satisfies Readonly<Record<string, Operation>>;
