// Fields, query parameters and small schemas that mean the same in every resource.
import type { Resource } from "../resource.ts";

export const COMMON = {
  queryParameters: {
    limit: "Items on the page at most.",
    page: "The `next_page` of the page before.",
    agent_id: "Only what belongs to this agent.",
    created_after: "Only those created at this moment or later.",
    created_before: "Only those created before this moment.",
    end_user_id: "Only sessions of this end user.",
    status: "Only what is in this state.",
    tenant_id: "The tenant: the operator names it, a tenant's own key may leave it out.",
    format:
      "The dialect of the events: `agentscope` is the log's own; `agentscope-java` is that of AgentScope for Java, and `ag-ui` that of the Agent User Interaction Protocol 1.0; docs/protocol.md compares them with it.",
  },

  fieldDescriptions: {
    agent_id: "The agent.",
    cache_creation_input_tokens: "Tokens that the provider wrote to its cache.",
    cache_input_tokens: "Tokens that the provider read from its cache.",
    created_at: "When it was created.",
    cursor: "A position in the session's stream: give it as `after`. 0 is before the first event.",
    data: "The items of this page.",
    end_user_id: "The tenant's own id of the person.",
    error: "Why it failed, or null.",
    expires_at: "When it expires, or null for never.",
    finished_at: "When it was complete, or null.",
    has_more: "Whether there is a next page.",
    id: "Opaque: clients must not interpret its form.",
    input_tokens: "Input tokens of the model calls.",
    metadata: "The client's own labels.",
    name: "A name for people.",
    next_page: "Give it back as `page`, or null on the last one.",
    output_tokens: "Output tokens of the model calls.",
    reply_id: "The reply.",
    session_id: "The session.",
    source: "Where it comes from.",
    status: "What goes on.",
    tool_call: "The call.",
    tool_call_id: "The call that the event is about.",
    type: "Which kind it is.",
    url: "An absolute address.",
    tool_name: "The tool.",
  },
} as const satisfies Resource;
