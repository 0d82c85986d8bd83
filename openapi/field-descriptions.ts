// What the document says about schemas and their fields. `describe-fields.ts` finds them.
import {
  WEBHOOK_FIELD_DESCRIPTIONS,
  WEBHOOK_SCHEMA_DESCRIPTIONS,
} from "./descriptions-webhooks.ts";
import { INBOUND_FIELD_DESCRIPTIONS, INBOUND_SCHEMA_DESCRIPTIONS } from "./descriptions-inbound.ts";
import {
  CONVERSATION_FIELD_DESCRIPTIONS,
  CONVERSATION_SCHEMA_DESCRIPTIONS,
} from "./descriptions-conversation.ts";
import { AG_UI_FIELD_DESCRIPTIONS, AG_UI_SCHEMA_DESCRIPTIONS } from "./descriptions-ag-ui.ts";
import { BUDGET_FIELD_DESCRIPTIONS } from "./descriptions-budget.ts";
import { PEOPLE_FIELD_DESCRIPTIONS, PEOPLE_SCHEMA_DESCRIPTIONS } from "./descriptions-people.ts";

export const SCHEMA_DESCRIPTIONS: Readonly<Record<string, string>> = {
  ...WEBHOOK_SCHEMA_DESCRIPTIONS,
  ...CONVERSATION_SCHEMA_DESCRIPTIONS,
  ...PEOPLE_SCHEMA_DESCRIPTIONS,
  ...INBOUND_SCHEMA_DESCRIPTIONS,
  ...AG_UI_SCHEMA_DESCRIPTIONS,
  Base64Source: "Bytes, in the block itself.",
  ConfirmResult: "A person's answer to one tool call.",
  ContentBlock: "What a message is made of.",
  CustomEvent:
    "What AgentScope has no event for, such as `message_added`. An unknown `name` is to be ignored.",
  ErrorInfo: "Why a reply failed. The message is a fixed text, which may name a credential.",
  EventStream:
    "Server-sent events. Each frame has `id:` (the seq), `event:` (the type) and `data:` (one LoggedEvent as JSON on one line). Comment lines are heartbeats.",
  FieldError: "One place in the request that is wrong.",
  FoldedMsg: "A message and the stream position that it is folded to.",
  HintBlock: "Text that the platform or the tenant gave the model in between.",
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
  PendingCall: "A tool call that waits for somebody outside.",
  PermissionMode: "What happens to a call that no rule decides.",
  PermissionRule: "Which calls may run, may not, or have to be asked for.",
  Problem: "RFC 9457. `code` is for programs, `detail` for people.",
  Reply: "One answer of the agent, from the input to its end.",
  ReplyStatus: "`awaiting_…`: the reply is parked until somebody outside answers.",
  Timestamp: "UTC, ISO 8601 with milliseconds and Z.",
  ToolCallBlock: "A call that the model made. `input` is the JSON text that it wrote.",
  ToolResultBlock: "What a call gave; its id is the call's.",
  Usage: "Tokens, summed over the model calls of a reply.",
};

export const FIELD_DESCRIPTIONS: Readonly<Record<string, string>> = {
  ...WEBHOOK_FIELD_DESCRIPTIONS,
  ...CONVERSATION_FIELD_DESCRIPTIONS,
  ...PEOPLE_FIELD_DESCRIPTIONS,
  ...BUDGET_FIELD_DESCRIPTIONS,
  ...INBOUND_FIELD_DESCRIPTIONS,
  ...AG_UI_FIELD_DESCRIPTIONS,
  agent_id: "The agent.",
  block_id: "The block that the event is about.",
  cache_creation_input_tokens: "Tokens that the provider wrote to its cache.",
  cache_input_tokens: "Tokens that the provider read from its cache.",
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
  "UserConfirmResultEvent.confirm_results": "The answers, one for each call.",
};
