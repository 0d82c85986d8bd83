// What the document says about parameters of paths and queries.

export const PATH_DESCRIPTIONS: Readonly<Record<string, string>> = {
  reply_id: "The reply.",
  token_id: "The client token; its id, not the token itself.",
  callback_token: "The signed part of the address that a webhook carried.",
  inbound_endpoint_id: "The inbound endpoint.",
  endpoint_id: "The webhook endpoint.",
  delivery_id: "The delivery.",
  message_id: "The message; an assistant's has its reply's id.",
  rule_id: "The rule; an agent's own have no id.",
};

export const QUERY_DESCRIPTIONS: Readonly<Record<string, string>> = {
  after:
    "Events above this seq, or after the frame with this id in the `format`; `Last-Event-ID` wins over it. From the beginning when left out.",
  agent_id: "Only what belongs to this agent.",
  asked_after: "Only calls that were asked about at this moment or later.",
  asked_before: "Only calls that were asked about before this moment.",
  created_after: "Only what was made at this moment or later.",
  created_before: "Only what was made before this moment.",
  end_user_id: "Only sessions of this end user.",
  expires_before: "Only calls whose time runs out before this moment.",
  follow: "`session` keeps the stream open between replies.",
  format:
    "The dialect of the events: `agentscope` is the log's own; `agentscope-java` is that of AgentScope for Java, and `ag-ui` that of the Agent User Interaction Protocol 1.0; docs/protocol.md compares them with it.",
  kind: "`permission` for what a person confirms, `external_result` for what a system outside does.",
  limit: "Items on the page at most.",
  page: "The `next_page` of the page before.",
  queued:
    "Replies that wait for their turn go on with `keep`, and end without having run with `drop`.",
  raw: "With `true` the log's own events come along with AG-UI's, as RAW.",
  reply_id: "Only this reply's events; its stream ends with it.",
  session_id: "Only what belongs to this session.",
  status: "Only what is in this state.",
  stream:
    "`true` answers with the events that follow, `false` with a receipt, whatever `Accept` says.",
  tenant_id: "The tenant: the operator names it, a tenant's own key may leave it out.",
  token:
    "A stream ticket, for `EventSource`, which sends no headers. Addresses are kept in logs: never a client token or an API key, which belong in `Authorization`.",
  thread_id: "The thread, as in `threadId`: a session's id, or a name of the client's own.",
  tool_name: "Only calls of this tool.",
  type: "Only messages of this type.",
};
