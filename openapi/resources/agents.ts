// Agents and their versions.
import {
  AgentCreateSchema,
  AgentUpdateSchema,
  AgentVersionUpdateSchema,
  AgentWriteQuerySchema,
  AgentDefinitionSchema,
  AgentPageSchema,
  AgentSchema,
  AgentVersionPageSchema,
  AgentVersionSchema,
} from "../../protocol/agents/contract.ts";
import { PageQuerySchema } from "../../protocol/schemas/common.ts";
import { AGENT_ID, EXAMPLE_TIME } from "../../protocol/refund-desk.ts";
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
    Agents: "Definitions of agents: a prompt, a model, tools. A change creates a new version.",
  },
  operations: {
    createAgent: {
      tag: "Agents",
      summary: "Create an agent",
      description:
        "Only the name is required: other members have defaults, such as the embedded model. With `validate_only=true` the request is checked as it would be, credentials and addresses included, and nothing is written: no quota is asked or used, and an Idempotency-Key has no effect.",
      query: AgentWriteQuerySchema,
      request: { json: AgentCreateSchema, examples: ["smallestAgent", "refundDesk"] },
      answers: {
        200: {
          description: "With `validate_only`: the definition as it would be stored.",
          json: AgentDefinitionSchema,
        },
        201: {
          description: "The agent, in version 1.",
          json: AgentSchema,
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
      answers: { 200: { description: "A page of agents.", json: AgentPageSchema } },
    },
    readAgent: {
      tag: "Agents",
      summary: "Get an agent",
      description: "In its newest version.",
      answers: {
        200: { description: "The agent.", json: AgentSchema, examples: ["refundDeskAgent"] },
      },
    },
    updateAgent: {
      tag: "Agents",
      summary: "Update an agent",
      description:
        "Creates a new version; sessions keep the one that they were opened with. A request that changes nothing creates none. With `validate_only=true` nothing is written, and the answer is the agent with the changes, in the version that it has.",
      query: AgentWriteQuerySchema,
      request: { json: AgentUpdateSchema, examples: ["newPrompt"] },
      answers: { 200: { description: "The agent as it is now.", json: AgentSchema } },
      errors: ["conflict", "quota_exceeded"],
    },
    deleteAgent: {
      tag: "Agents",
      summary: "Delete an agent",
      description:
        "No new session can be opened with it; existing ones keep their version and continue.",
      answers: { 204: { description: "The agent is removed." } },
    },
    listAgentVersions: {
      tag: "Agents",
      summary: "List an agent's versions",
      description: "Newest first.",
      query: PageQuerySchema,
      answers: { 200: { description: "A page of versions.", json: AgentVersionPageSchema } },
    },
    readAgentVersion: {
      tag: "Agents",
      summary: "Get a version of an agent",
      description: "The agent's definition in that version, which never changes.",
      answers: { 200: { description: "The version.", json: AgentVersionSchema } },
    },
    updateAgentVersion: {
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
  },
  pathParameters: {
    agent_id: "The agent.",
    version: "A version of the agent; the first is 1.",
  },

  queryParameters: {
    validate_only: "`true` checks the request and writes nothing.",
  },
  fieldDescriptions: {
    "Agent.retired_at":
      "When it was retired: no session is given it any more. Null for one that sessions may be given.",
    "AgentVersion.retired": "`true` retires the version, `false` brings it back.",
    confirmation_ttl:
      "Seconds in which a person has to confirm a call; after that it is denied. A day when left out.",
    log_retention:
      "Seconds after the end of a reply from which on its log keeps one delta for those of a block that follow each other, with the seq of the last. Cursors stay valid, in the middle of it too. The agent's version that the reply ran with counts. Null, or left out: all deltas are kept for good.",
    on_limit:
      "What happens to a reply when a quota of the tenant is used up before it has ended: `end` ends it with the error `quota_exceeded`, `park` lets it wait until there is room. `end` when left out.",
    "Agent.fallback_models": "Models that are used in this order when the one before fails.",
    "Agent.allowed_models":
      "Further models that a reply may ask for by name, beside the agent's own and its fallbacks.",
    "Agent.max_iters": "Rounds of model call and tools before a reply ends with exceed_max_iters.",
    "Agent.on_max_iters":
      "What follows the last round of a reply that has no answer yet: `stop` ends it, `summarize` lets the model say what was done, in one more call without tools. Both end with exceed_max_iters; a reply with structured output makes no summary. `stop` when left out.",
    "Agent.on_interrupt":
      "What a reply says after a user has interrupted it: nothing (`none`, or left out), a `text`, or what the `model` says in one short call without tools, for eight seconds at most. Interrupts by the next input, by the tenant's suspension and of queued replies say nothing.",
    "OnInterruptText.text": "The text, as a block of the reply's message.",
    "OnInterruptModel.instructions":
      "What the model is told about the interrupt; the platform's own words when left out.",
    "Agent.model": "The agent's model.",
    "Agent.structured_output":
      "JSON Schema of the structured output of replies whose request has none; null for a text.",
    "Agent.permission": "The permission mode and rules for tool calls.",
    "Agent.permission.mode": "The decision for calls that no rule matches.",
    "Agent.permission.rules":
      "Rules for all calls of a tool, or for calls whose input matches. Deny rules take precedence over ask rules, and these over allow rules.",
    "Agent.permission.bypass_untrusted":
      "Whether mode bypass lets calls of tools with `sink` run while the context has untrusted results; they ask when left out. Needs the scope `permission_bypass:write`.",
    "Agent.permission.rules.behavior": "The decision for matching calls.",
    "Agent.permission.rules.rule_content":
      "Which calls of the tool, as the tool's `rule_syntax` says; null, empty or left out means all.",
    "Agent.permission.rules.source":
      "Who added the rule, in the tenant's own words; `agent` when left out.",
    "Agent.permission.rules.tool_name": "The name of the tool.",
    "Agent.system_prompt": "The system prompt of each model call.",
    "Agent.tools": "The tools that the model may call. Names are unique.",
    "Agent.updated_at": "When its newest version was created.",
    "Agent.version": "Counts from 1; each change adds one.",
    "Agent.plan":
      "The model makes and follows plans, which people may give and change; null for none, as when left out. `tools`: `notebook`, those of AgentScope 1, one step after the other, or `tasks`, those of AgentScope 2. `max_subtasks`: subtasks that a plan may have. `hint_template`: what the model is told before each call, with `{plan}`, `{subtask}`, `{subtask_idx}`, `{subtask_name}` and `{index}`: one text for every case, or one for each; null for none in that case.",
    "Agent.shared_state":
      "What the model may do with the shared state of its sessions, which it always sees.",
    "Agent.shared_state.enabled":
      "Whether the model may change the state, with the tool `update_shared_state`.",
    "Agent.shared_state.schema":
      "JSON Schema of an object that every changed state has to fit, for changes of the model and of clients.",
    "Agent.context": "What the model is sent of a conversation.",
    "Agent.context.max_images":
      "Images that the model is sent, the newest ones; a note takes the place of each older one. 5 when left out.",
    "Agent.context.tool_result_limit":
      "Tokens of one tool result that the model is sent, estimated as four bytes each; it reads the rest with the tool `read_tool_result`. 50,000 when left out.",
    "Agent.context.token_counter":
      "How the size of a conversation is counted: by what the provider reported for the last call and an estimate of what came since (`provider`), by bytes and media (`estimate`), or by characters of text and of base64 (`chars`). `provider` when left out.",
    "Agent.context.context_size":
      "Tokens that the model can read at once: the window. When left out, that of the model's definition, else of its vendor's, else 128,000.",
    "Agent.context.trigger_ratio":
      "The soft threshold as a part of the window: above it older messages are summarised between replies. 0.8 when left out.",
    "Agent.context.trigger_threshold": "The soft threshold in tokens, in place of `trigger_ratio`.",
    "Agent.context.reserve_ratio":
      "The part of the window that stays free for the answer. The rest is the hard threshold: above it a reply waits until older messages are summarised. 0.1 when left out.",
    "Agent.context.keep_recent":
      "Newest messages that are not summarised as long as they take less than about half of the soft threshold. 3 when left out.",
    "Agent.context.compression_prompt":
      "What the model is told that writes a summary. The platform's own prompt when left out.",
    "Agent.context.summary_schema":
      "JSON Schema of the summary, an object. AgentScope's five texts when left out: `task_overview`, `current_state`, `important_discoveries`, `next_steps`, `context_to_preserve`.",
    "Agent.context.summary_template":
      "The text in place of the messages, with a placeholder such as `{next_steps}` for each member of the summary; `{{` and `}}` are braces.",
    "Agent.context.compression_model":
      "The model that writes summaries. The one that the reply uses when left out: it then finds the conversation in its prompt cache.",
    "Agent.context.compression_enabled":
      "Whether summaries are made. Without them older messages are left out when the conversation passes the hard threshold. `true` when left out.",
    "Agent.context.compression_tool_enabled":
      "Whether the model gets the tool `compress_context`, and is told when the window fills up. `false` when left out.",
    "Agent.skills":
      "Skills whose names and descriptions the model is told, and whose files it reads with the tool `read_skill`: an id for the newest version, or `{id, version}` for that one. A reply keeps the versions that it began with.",
    "Agent.code_agent":
      "The name of an agent in code of this deployment, which gives the replies in place of the model loop; null for none, as when left out.",
    "Agent.budget":
      "The budget of one reply; a reply beyond it is ended with an error. The platform's own limits apply when left out.",
    "Agent.budget.max_seconds":
      "Seconds that a reply may run, across restarts; waiting for people and external systems does not count. 7,200 when left out.",
    "Agent.budget.max_tokens":
      "Input and output tokens of a reply's model calls together. Checked before each call, so the last one may exceed it.",
  },
  examples: {
    retiredVersion: { summary: "Retire it", value: { retired: true } },
    smallestAgent: { summary: "The smallest agent", value: { name: "Refund desk" } },
    refundDesk: { summary: "The refund desk, with a tool", value: refundDesk },
    refundDeskAgent: { summary: "The refund desk", value: agent },
    newPrompt: {
      summary: "Another prompt",
      value: { system_prompt: "Be brief, and look every order up first." },
    },
  },
} as const satisfies Resource;
