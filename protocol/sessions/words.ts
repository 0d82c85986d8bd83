// Words of fields that the schemas of this room have.
export const SESSION_WORDS = {
  parent_session_id:
    "The session whose reply has called this one's agent; null for one that a request has opened.",
  "Session.room_id":
    "The room whose participant speaks in it; null for all others. Such a session can be read, and takes its replies from the room alone.",
  forked_from: "Where the conversation was copied from; null for a session that began empty.",
  time_zone:
    "A name of the IANA database; the agent is told the time there when a reply begins. Null for no time.",
  working_directories:
    "Absolute paths in which `accept_edits` lets files be changed. Writing them needs `permission_rules:write`.",
  title:
    "A line for lists; null at PATCH for none of the client's own. Without one, the first words of the first user message, in lists as of the last time that a reply ended or began to wait; null before there are any.",
  "SessionPage.search_complete":
    "Of a list with `search`: whether all sessions are in the index. False while it is being made, the newest first: older ones may be missing. Missing without `search`.",
  failure: "How the last reply has failed; null when it has not.",
  "Session.cost_usd":
    "What the session has cost so far, as far as it is known: the sum of its replies. Null when nothing is known.",
  "ReplyFailure.error": "The reply's error; null where it has run out of iterations.",
  "ReplyFailure.failed_at": "When it failed.",
  "ReplyFailure.status": "`error`, or `exceed_max_iters`.",
  "Session.warnings":
    "Rules and tools of the request that say nothing, and rules that a change leaves without a call. Left out when there are none, and in the answer to a repeated request.",
  "Session.queued_reply_ids": "Queued replies, in order.",
  "Session.reply_id": "The reply that runs or waits, or null.",
  "Session.agent_version":
    "The version that replies use. New sessions name one, follow `latest`, or keep the current one.",
  "Session.follows_latest": "Whether each reply takes the agent's newest version.",
  "Session.permission":
    "A mode that replaces the agent's, and rules in addition to the agent's. Writing it needs `permission_rules:write`.",
  "Session.permission.mode":
    "The decision for calls that no rule matches; null for the agent's mode.",
  "Session.permission.rules": "The session's first rules; they have a resource of their own.",
  "ForkedFrom.message_id": "The last message that was copied, or null when there was none.",
  "ForkedFrom.cursor": "The position of the source's stream up to which it was copied.",
  "Fork.at":
    "The last message to copy, by its id; or a cursor, to copy all messages that were complete there. All messages when left out.",
  "Fork.metadata": "The client's own labels; the source's when left out.",
  "Fork.end_user_id": "The tenant's own id of the person; the source's when left out.",
  "Fork.agent_version": "A version's number, or `latest`; the source's when left out.",
  "AgentState.context": "The messages, oldest first.",
  "AgentState.context_truncated": "Whether older messages were left out.",
  "AgentState.middle_context":
    "The states of abilities, by name; `shared_state` is `{state, version}`.",
  "AgentState.permission_context": "The permission of the session's tool calls.",
  "AgentState.permission_context.allow_rules": "Rules by the name of their tool.",
  "AgentState.permission_context.ask_rules": "Rules by the name of their tool.",
  "AgentState.permission_context.deny_rules": "Rules by the name of their tool.",
  "AgentState.permission_context.mode": "The decision for calls that no rule matches.",
  "AgentState.permission_context.working_directories": "The directories by path.",
  "AgentState.reply_context": "The current reply.",
  "AgentState.reply_context.cur_iter": "Its completed rounds.",
  "AgentState.reply_context.reply_id": "The reply's id; empty while none runs or waits.",
  "AgentState.reply_context.structured_output": "Its structured output, or null.",
  "AgentState.reply_context.structured_schema": "JSON Schema of its structured output, or null.",
  "AgentState.summary": "The summary of the messages before `context`; empty when there is none.",
  "AgentState.tasks_context": "The subtasks of the current plan as AgentScope's tasks.",
  "AgentState.tasks_context.tasks": "The tasks.",
  "AgentState.tool_context": "State of tools; empty here, but for the groups.",
  "AgentState.tool_context.activated_groups":
    "The active groups of tools. An import switches the agent's groups by it, unless it is empty.",
  "AgentState.tool_context.max_cache_bytes": "Maximal size of the cache in KiB.",
  "AgentState.tool_context.max_cache_files": "Maximal number of files in the cache.",
  "AgentState.tool_context.read_file_cache": "The cached files.",
  "AgentState.cur_iter": "Not kept.",
  "Restore.cursor":
    "A position of the session's stream. What was not complete there is not in the conversation.",
  "Restored.cursor": "The stream's position behind the restore.",
  "Restored.message_id": "The last message of the conversation, or null for an empty one.",
  finished_reason: "Why it ended, or null while it runs.",
  role: "The role of the message's author.",
  usage: "Tokens so far, or null before the first model call has ended.",
  "ErrorInfo.message": "A fixed text for each type; where a credential is the reason, with its id.",
  "ErrorInfo.type":
    "`output_limit`: the reply reached the limit of its size. More types may be added; treat an unknown one as `unknown`.",
  "FoldedMsg.message": "The message.",
  "InputMessage.content": "Text, or blocks of text and data.",
  "InputMessage.id":
    "The client's own id of the message. Sent again with the same content it starts no second reply.",
  "InputMessage.structured_output": "Ignored.",
  "Msg.content": "The blocks, in the order in which they began.",
  "Msg.metadata":
    "Labels of the message's author. `omitted: {bytes}` says that the content is left out, because it is too large for this answer.",
  "Msg.name": "The author's name.",
  "Msg.timestamp": "When it was created, in UTC: `2026-01-31 12:00:00.000`.",
  "Msg.usage.cacheCreationInputTokens": "Tokens that the provider wrote to its cache.",
  "Msg.usage.cacheInputTokens": "Tokens that the provider read from its cache.",
  "Msg.usage.inputTokens": "Input tokens of the model calls.",
  "Msg.usage.outputTokens": "Output tokens of the model calls.",
  "Msg.structured_output": "The value that the agent gave for the requested schema, or null.",
  "Observe.messages": "A text, a message, messages, or blocks of text and data.",
  "Observe.events":
    "Events of the service's own and activities of AG-UI, for readers of the session, and hints for the model.",
  "ToldHint.hint": "A text, or blocks of text and data, 16 at most.",
  "ToldHint.source": "What it comes from. The stored block has `tenant:` in front.",
  "ToldHint.trusted": "True vouches for what it says; else calls of sinks ask behind it.",
  "ToldCustom.name": "A name that no event of the platform has.",
  "ToldCustom.value": "What it says, of at most 16,384 bytes.",
  "ToldActivity.message_id": "The activity's id. Readers by AG-UI see it with `told:` in front.",
  "ToldActivity.activity_type": "What it is, such as `SEARCH`.",
  "ToldActivity.content": "The activity as a whole.",
  "ToldActivity.replace": "False changes nothing where there is an activity with this id.",
  "ToldActivityChange.message_id": "The activity's id.",
  "ToldActivityChange.activity_type": "What it is.",
  "ToldActivityChange.patch": "Operations of JSON Patch (RFC 6902), without `copy`.",
  "Observed.messages": "The messages, in the order of the request.",
  media_type: "The media type of the bytes, such as image/png.",
  state: "How far it has come.",
  "Base64Source.data":
    "The bytes in base64. In a request white space, url-safe letters, missing padding and a `data:` prefix are put right.",
  "DataBlock.source": "The bytes, or their address.",
  "HintBlock.hint": "The hint.",
  "TextBlock.text": "The text.",
  "ThinkingBlock.thinking": "The text of the thinking.",
  "ToolCallBlock.signature":
    "The provider's proof of the thinking behind the call, which goes back to it; opaque.",
  "ToolCallBlock.input": "The JSON text that the model wrote; it may be incomplete or invalid.",
  "ToolCallBlock.name": "The tool that is called.",
  "ToolResultBlock.name": "The tool that was called.",
  "ToolResultBlock.output": "The output of the tool.",
} as const;
