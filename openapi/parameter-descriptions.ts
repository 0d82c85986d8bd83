// What the document says about parameters of paths and queries.

export const PATH_DESCRIPTIONS: Readonly<Record<string, string>> = {
  token_id: "The client token; its id, not the token itself.",
  callback_token: "The signed part of the address that a webhook carried.",
  inbound_endpoint_id: "The inbound endpoint.",
  endpoint_id: "The webhook endpoint.",
  delivery_id: "The delivery.",
  rule_id: "The rule; an agent's own have no id.",
};

export const QUERY_DESCRIPTIONS: Readonly<Record<string, string>> = {
  asked_after: "Only calls that were asked about at this moment or later.",
  asked_before: "Only calls that were asked about before this moment.",
  expires_before: "Only calls whose time runs out before this moment.",
  kind: "`permission` for what a person confirms, `external_result` for what a system outside does.",
  session_id: "Only what belongs to this session.",
  tool_name: "Only calls of this tool.",
  type: "Only messages of this type.",
};
