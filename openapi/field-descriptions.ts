// What the document says about schemas and their fields. A field is found by its schema's family and its path
// (`Agent.permission.mode`), then by its own name alone.
import type { JsonSchema } from "./document-types.ts";
import {
  WEBHOOK_FIELD_DESCRIPTIONS,
  WEBHOOK_SCHEMA_DESCRIPTIONS,
} from "./descriptions-webhooks.ts";
import {
  EXTERNAL_TOOL_FIELD_DESCRIPTIONS,
  EXTERNAL_TOOL_SCHEMA_DESCRIPTIONS,
} from "./descriptions-external-tools.ts";
import { INBOUND_FIELD_DESCRIPTIONS, INBOUND_SCHEMA_DESCRIPTIONS } from "./descriptions-inbound.ts";
import {
  CONVERSATION_FIELD_DESCRIPTIONS,
  CONVERSATION_SCHEMA_DESCRIPTIONS,
} from "./descriptions-conversation.ts";
import { AG_UI_FIELD_DESCRIPTIONS, AG_UI_SCHEMA_DESCRIPTIONS } from "./descriptions-ag-ui.ts";
import {
  CREDENTIAL_FIELD_DESCRIPTIONS,
  CREDENTIAL_SCHEMA_DESCRIPTIONS,
} from "./descriptions-credentials.ts";
import { BUDGET_FIELD_DESCRIPTIONS } from "./descriptions-budget.ts";
import { KEY_FIELD_DESCRIPTIONS, KEY_SCHEMA_DESCRIPTIONS } from "./descriptions-keys.ts";
import { PERMISSION_FIELD_DESCRIPTIONS } from "./descriptions-permission.ts";
import { PEOPLE_FIELD_DESCRIPTIONS, PEOPLE_SCHEMA_DESCRIPTIONS } from "./descriptions-people.ts";

export const SCHEMA_DESCRIPTIONS: Readonly<Record<string, string>> = {
  ...WEBHOOK_SCHEMA_DESCRIPTIONS,
  ...EXTERNAL_TOOL_SCHEMA_DESCRIPTIONS,
  ...CONVERSATION_SCHEMA_DESCRIPTIONS,
  ...PEOPLE_SCHEMA_DESCRIPTIONS,
  ...INBOUND_SCHEMA_DESCRIPTIONS,
  ...AG_UI_SCHEMA_DESCRIPTIONS,
  ...CREDENTIAL_SCHEMA_DESCRIPTIONS,
  ...KEY_SCHEMA_DESCRIPTIONS,
  Agent: "An agent as it stands in its newest version.",
  AgentCreate: "A new agent. The name is enough: the default model is scripted and needs no key.",
  AgentVersion: "What an agent was at one of its versions; it never changes.",
  AgentUpdate: "What is left out stays as it is. A change makes a new version.",
  Base64Source: "Bytes, in the block itself.",
  ConfirmResult: "A person's answer to one tool call.",
  ContentBlock: "What a message is made of.",
  CreatedTenant: "The one answer that shows the tenant's first key, which holds every scope.",
  CustomEvent:
    "What AgentScope has no event for, such as `message_added`. An unknown `name` is to be ignored.",
  ErasingTenant: "Sessions of the tenant are left; the same request again goes on.",
  ErrorInfo: "Why a reply failed. The message is a fixed text, which may name a credential.",
  EventStream:
    "Server-sent events. Each frame has `id:` (the seq), `event:` (the type) and `data:` (one LoggedEvent as JSON on one line). Comment lines are heartbeats.",
  FieldError: "One place in the request that is wrong.",
  FoldedMsg: "A message and the stream position that it is folded to.",
  HintBlock: "Text that the platform or the tenant gave the model in between.",
  HttpTool: "A tool that is a POST to the tenant's own server.",
  InputMessage:
    "A message from a client. A stored Msg may be sent back as it is: what only the platform can know is ignored.",
  JsonValue: "Any JSON value.",
  JavaEvent:
    "An event in the dialect of AgentScope for Java; docs/protocol.md says what each type holds.",
  JavaEventPage: "A page with `format=agentscope-java`. It may have more events than `limit`.",
  LoggedEvent:
    "An event as the log holds it. Clients must ignore types and fields that they do not know.",
  Metadata: "The client's own labels: at most 4,096 bytes as JSON.",
  Msg: "One turn of a conversation. An assistant's message is the fold of its reply's events; its id is the reply's.",
  OpenAiModel: "Any OpenAI-compatible chat completions endpoint.",
  PendingCall: "A tool call that waits for somebody outside.",
  PermissionMode: "What happens to a call that no rule decides.",
  PermissionRule: "Which calls may run, may not, or have to be asked for.",
  Problem: "RFC 9457. `code` is for programs, `detail` for people.",
  Reply: "One answer of the agent, from the input to its end.",
  ReplyStatus: "`awaiting_…`: the reply is parked until somebody outside answers.",
  Scope: "What a key may do, by kind of resource.",
  ScriptedModel: "The embedded, deterministic model: no key, no network.",
  Session: "One conversation of one end user with one agent, at this moment.",
  SessionSummary:
    "A session in a list. Its status is as of the last time that a reply ended or began to wait.",
  Timestamp: "UTC, ISO 8601 with milliseconds and Z.",
  ToolCallBlock: "A call that the model made. `input` is the JSON text that it wrote.",
  ToolResultBlock: "What a call gave; its id is the call's.",
  UsageRow: "Sums over replies, which count on the day on which they last ended or began to wait.",
  Usage: "Tokens, summed over the model calls of a reply.",
};

export const FIELD_DESCRIPTIONS: Readonly<Record<string, string>> = {
  ...WEBHOOK_FIELD_DESCRIPTIONS,
  ...CREDENTIAL_FIELD_DESCRIPTIONS,
  ...EXTERNAL_TOOL_FIELD_DESCRIPTIONS,
  ...CONVERSATION_FIELD_DESCRIPTIONS,
  ...PEOPLE_FIELD_DESCRIPTIONS,
  ...PERMISSION_FIELD_DESCRIPTIONS,
  ...BUDGET_FIELD_DESCRIPTIONS,
  ...INBOUND_FIELD_DESCRIPTIONS,
  ...AG_UI_FIELD_DESCRIPTIONS,
  ...KEY_FIELD_DESCRIPTIONS,
  // By name alone.
  agent_id: "The agent.",
  api_key: "The key itself. It is shown this once.",
  block_id: "The block that the event is about.",
  cache_creation_input_tokens: "Tokens that the provider wrote to its cache.",
  cache_input_tokens: "Tokens that the provider read from its cache.",
  context_size: "Tokens that the model can read at once.",
  created_at: "When it was made.",
  cursor: "A position in the session's stream: give it as `after`. 0 is before the first event.",
  data: "The items of this page.",
  delta: "The next piece of the text; the pieces of a block are to be joined.",
  end_user_id: "The tenant's own id of the person.",
  error: "Why it failed, or null.",
  expires_at: "When it stops to hold, or null for never.",
  finished_at: "When it was complete, or null.",
  finished_reason: "Why it ended, or null while it runs.",
  has_more: "Whether there is a next page.",
  id: "Opaque: clients must not read anything from its form.",
  input_tokens: "Tokens that went into the model.",
  media_type: "The media type of the bytes, such as image/png.",
  metadata: "The client's own labels.",
  model_name: "The model that is called.",
  name: "A name for people.",
  next_page: "Give it back as `page`, or null on the last one.",
  output_tokens: "Tokens that came out of the model.",
  pending: "The tool calls that somebody outside has to answer.",
  provider: "Who runs the model.",
  reply_id: "The reply.",
  role: "Who speaks.",
  rules: "Rules, each for one tool.",
  seq: "A number that only grows within the session and is never given twice; the SSE id.",
  session_id: "The session.",
  source: "Where it comes from.",
  state: "How far it has come.",
  status: "What goes on.",
  suggested_rules: "Rules that an answer may switch on.",
  tool_call: "The call.",
  tool_call_id: "The call that the event is about.",
  tool_call_name: "The tool that is called.",
  tool_calls: "The calls that wait.",
  type: "Which kind it is.",
  url: "An absolute address.",
  usage: "Tokens so far, or null before the first model call has ended.",
  visibility: "For user interfaces only; the model's context never looks at it.",

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

  "Base64Source.data": "The bytes in base64.",
  "ConfirmResult.confirmed": "Whether the call may run.",
  "CustomEvent.value": "What the event carries, by its name.",
  "DataBlock.source": "The bytes, or where they are.",
  "DataBlockDeltaEvent.data": "The next bytes in base64; exactly one of data and url is given.",
  "DataBlockDeltaEvent.url": "Where the bytes are; exactly one of data and url is given.",
  "ErrorInfo.message": "A fixed text for each type; where a credential is the reason, with its id.",
  "ErrorInfo.type":
    "`output_limit`: the reply holds as much as a reply may. More types may come; take one that is not known for `unknown`.",
  "ExternalExecutionResultEvent.execution_results": "Results of the calls that waited.",
  "FieldError.detail": "What is wrong there.",
  "FieldError.pointer": "RFC 6901 in fragment form, such as `#/input/0/text` or `#/query/limit`.",
  "FoldedMsg.message": "The message.",
  "HintBlock.hint": "The hint.",
  "HintBlockEvent.hint": "The hint.",

  "HttpTool.concurrency_safe": "It may run beside other calls of the same turn.",
  "HttpTool.description": "Tells the model what the tool does.",
  "HttpTool.idempotent": "Doing it twice with the same Idempotency-Key is doing it once.",
  "HttpTool.input_schema": "JSON Schema of the call's input: an object, 64 KB at most.",
  "HttpTool.max_bytes": "Bytes that the answer may have.",
  "HttpTool.name": "The name by which the model calls it.",
  "HttpTool.read_only": "It looks and changes nothing: it runs without asking.",
  "HttpTool.timeout_ms": "Milliseconds that a call may take.",

  "InputMessage.content": "Text, or blocks of text and data.",
  "InputMessage.id":
    "The client's own id of the message. Sent again with the same content it starts no second reply.",
  "InputMessage.structured_output": "Ignored.",
  "JavaEvent.createdAt": "When it happened.",
  "JavaEvent.replyId": "The reply that it is about; absent when it is about none.",
  "InterruptResult.interrupted": "False when nothing ran and nothing waited.",
  "InterruptResult.reply": "The reply that was ended, or null.",

  "Msg.content": "The blocks, in the order in which they began.",
  "Msg.metadata":
    "Labels of whoever wrote it. `omitted: {bytes}` says that the content is left out, because it is too large for this answer.",
  "Msg.name": "The speaker's name.",
  "Msg.structured_output": "What the agent was asked to fill in, or null.",

  "OpenAiModel.base_url": "Where the endpoint is, up to and without `/chat/completions`.",
  "OpenAiModel.name": "The model's name at the provider.",
  "OpenAiModel.parameters": "More members of the request, such as temperature.",
  "PendingCall.input_hash": "Binds an answer to this input, or null.",
  "PendingCall.kind": "Who has to answer: a person, or a system outside.",
  "PermissionRule.behavior": "What the rule says.",
  "PermissionRule.rule_content": "Which calls of the tool; null or empty means all.",
  "PermissionRule.tool_name": "The tool that the rule is about.",

  "Problem.agent_pointer":
    "With conflict at a session: where the agent names a credential that is gone.",
  "Problem.code": "For programs.",
  "Problem.detail": "For people: what is wrong with this request, and the way out.",
  "Problem.errors": "The places in the request that are wrong.",
  "Problem.max_bytes": "With body_too_large: the bytes that the body may have.",
  "Problem.pending": "With reply_running and reply_awaiting: the calls that wait.",
  "Problem.queued": "With queue_full: how many replies wait for their turn.",
  "Problem.reply_id": "With reply_running and reply_awaiting: the reply that is in the way.",
  "Problem.request_id": "Name it when you report a failure; also in X-Request-Id.",
  "Problem.required_scope": "With insufficient_scope: the scope that the key lacks.",
  "Problem.status": "The HTTP status.",
  "Problem.title": "What the code means.",
  "Problem.type": "A URI of the code.",

  "Reply.background": "Answer 202 at once; the reply runs on.",
  "Reply.input": "What the user says: a text, a message, messages, or blocks.",
  "Reply.message": "The message as far as it is durable; null before REPLY_START.",
  "Reply.on_busy":
    "What to do when a reply runs or waits already: refuse this one, queue it, or end the other.",
  "Reply.structured_schema":
    "JSON Schema of an object that the reply fills in, in place of the agent's; null for a text.",
  "Reply.stream": "Answer with the reply's events as server-sent events.",

  "ScriptedModel.name": "Which script.",
  "ScriptedModel.parameters": "How it is played.",
  "ScriptedModel.parameters.tokens_per_second": "Pace of the stream; 0 is as fast as it can.",
  "Session.queued_reply_ids": "The replies that wait for their turn, in order.",
  "Session.reply_id": "The reply that runs or waits, or null.",
  "Session.agent_version":
    "The version that replies run. New sessions name one, follow `latest`, or keep the current one.",
  "Session.follows_latest": "Whether each reply takes the agent's newest version.",
  "TextBlock.text": "The text.",
  "TextBlockEndEvent.text":
    "When not null it takes the place of all deltas; empty, the block is taken back.",
  "ThinkingBlock.thinking": "What the model thought.",
  "ToolCallBlock.input": "The JSON text that the model wrote; it may be incomplete or invalid.",
  "ToolCallBlock.name": "The tool that is called.",
  "ToolResultBlock.name": "The tool that was called.",
  "ToolResultBlock.output": "What the tool answered.",
  "ToolResultDataDeltaEvent.data": "Bytes in base64; exactly one of data and url is given.",
  "ToolResultDataDeltaEvent.url": "Where the bytes are; exactly one of data and url is given.",
  "UsageRow.agent_id": "The agent, or null when the sums are not taken by agent.",
  "UsageRow.day": "The day in UTC, or null when the sums are not taken by day.",
  "UsageRow.model_name": "The model, or null when the sums are not taken by model.",
  "UsageRow.replies": "Replies that called a model.",
  "UserConfirmResultEvent.confirm_results": "The answers, one for each call.",
};

/** The name that a resource, its creation, its change and its form in requests have in common. */
function familyOf(schemaName: string): string {
  return schemaName
    .replace(/^Created/, "")
    .replace(/(?:Input|Create|Update|Rotate|Revoke|Version|Summary)$/, "");
}

/** The key under which a field's description stands, or null when nobody has described it. */
export function findDescriptionKey(schemaName: string, path: readonly string[]): string | null {
  const keys = [`${familyOf(schemaName)}.${path.join(".")}`, path.at(-1) ?? ""];
  return keys.find((key) => FIELD_DESCRIPTIONS[key] !== undefined) ?? null;
}

/** The schema with the descriptions of its fields, and of theirs, put in. */
export function describeFields(
  schemaName: string,
  schema: JsonSchema,
  path: readonly string[] = [],
): JsonSchema {
  const described: Record<string, unknown> = { ...schema };
  const { properties, items } = schema as { properties?: Fields; items?: JsonSchema };
  if (items) described["items"] = describeFields(schemaName, items, path);
  if (properties) {
    described["properties"] = Object.fromEntries(
      Object.entries(properties).map(([name, field]) => {
        const fieldPath = [...path, name];
        const key = findDescriptionKey(schemaName, fieldPath);
        const description = key === null ? {} : { description: FIELD_DESCRIPTIONS[key] };
        return [name, { ...description, ...describeFields(schemaName, field, fieldPath) }];
      }),
    );
  }
  return described;
}

type Fields = Readonly<Record<string, JsonSchema>>;
