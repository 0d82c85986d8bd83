// Texts about a session's own settings, and about its conversation as a whole.

export const CONVERSATION_SCHEMA_DESCRIPTIONS: Readonly<Record<string, string>> = {
  AgentState:
    "A session as AgentScope keeps it. `context_truncated` is ours; other readers may ignore it.",
  AgentStateInput:
    "A session from an AgentScope platform. What a process keeps for itself is accepted and not kept.",
  CodeTool:
    "A function that was deployed with the platform. Its description, its schema and its flags are in the code.",
  ForkCreate: "What the new session differs in from its source.",
  ForkedFrom: "Where a session's conversation was copied from. The source may be gone since.",
  JsonPatch:
    "Changes in their order, as RFC 6902 has them; all of them are made or none. 128 KB at most.",
  Observe: "Messages that the agent is to know of without answering them.",
  Observed: "What was added, and where the stream is after it.",
  PatchMove: "Puts what is at one place to another one.",
  PatchOperation: "One change, or one test.",
  PatchRemoval: "Takes a value away.",
  PatchValue: "Puts a value somewhere, or tests the one that is there.",
  SharedState: "What a session's app and its agent share.",
};

export const CONVERSATION_FIELD_DESCRIPTIONS: Readonly<Record<string, string>> = {
  forked_from: "Where the conversation was copied from; null for a session that began empty.",
  time_zone:
    "A name of the IANA database; the agent is told the time there when a reply begins. Null for no time.",
  working_directories:
    "Absolute paths in which `accept_edits` lets files be changed. Writing them needs `permission_rules:write`.",
  "Session.permission":
    "What holds in place of the agent's mode and beside its rules. Writing it needs `permission_rules:write`.",
  "Session.permission.mode": "What happens to a call that no rule decides; null is the agent's.",
  "Session.permission.rules": "The session's first rules; they have a resource of their own.",

  "CodeTool.name": "The name under which the function was deployed; the model calls it so.",

  "ForkedFrom.message_id": "The last message that was copied, or null when there was none.",
  "ForkedFrom.cursor": "The position of the source's stream up to which it was copied.",
  "Fork.at":
    "The last message that is copied, by its id; or a position of the stream, and then all that was complete there. The end when left out.",
  "Fork.metadata": "The client's own labels; the source's when left out.",
  "Fork.end_user_id": "The tenant's own id of the person; the source's when left out.",
  "Fork.agent_version": "A version's number, or `latest`; what the source runs when left out.",
  "Observe.messages": "A text, a message, messages, or blocks of text and data.",
  "Observed.messages": "The messages, in the order of the request.",

  "Agent.shared_state":
    "What the model may do with the state of its sessions; it is shown to the model in any case.",
  "Agent.shared_state.enabled":
    "Whether the model may change the state, with the tool `update_shared_state`.",
  "Agent.shared_state.schema":
    "JSON Schema of an object that every changed state has to fit, whoever changes it.",
  "PatchValue.op": "`test` fails the whole patch unless the value is there.",
  "PatchValue.path": "JSON pointer of the place; `/-` at its end is behind a list's last element.",
  "PatchValue.value": "What is put there, or has to be there.",
  "PatchRemoval.op": "What is done.",
  "PatchRemoval.path": "JSON pointer of what is taken away.",
  "PatchMove.op": "What is done.",
  "PatchMove.from": "JSON pointer of what is moved or copied.",
  "PatchMove.path": "JSON pointer of its new place.",
  "Problem.version":
    "With state_conflict, state_invalid and version_mismatch: the version that the state is at.",
  "SharedState.state": "The state; `{}` before it is first changed.",
  "SharedState.version": "How often it was changed.",
  "SharedState.cursor": "The stream position that it is folded to: later events change it.",

  "AgentState.context": "The messages, oldest first.",
  "AgentState.context_truncated": "Whether older messages were left out.",
  "AgentState.middle_context":
    "The states of abilities, by name; `shared_state` is `{state, version}`.",
  "AgentState.permission_context": "What the session's calls are held against.",
  "AgentState.permission_context.allow_rules": "By the name of their tool.",
  "AgentState.permission_context.ask_rules": "By the name of their tool.",
  "AgentState.permission_context.deny_rules": "By the name of their tool.",
  "AgentState.permission_context.mode": "What happens to a call that no rule decides.",
  "AgentState.permission_context.working_directories": "By their path.",
  "AgentState.reply_context": "The reply that runs or waits.",
  "AgentState.reply_context.cur_iter": "Rounds that it has done.",
  "AgentState.reply_context.reply_id": "The reply; empty while none runs or waits.",
  "AgentState.reply_context.structured_output": "What it has filled in, or null.",
  "AgentState.reply_context.structured_schema": "What it has to fill in, or null.",
  "AgentState.summary": "What stands for messages that are gone; empty here.",
  "AgentState.tasks_context": "Tasks of a plan; none here.",
  "AgentState.tasks_context.tasks": "The tasks.",
  "AgentState.tool_context": "What tools keep; nothing here.",
  "AgentState.tool_context.activated_groups": "Groups of tools that are switched on.",
  "AgentState.tool_context.max_cache_bytes": "Room of the cache in KiB.",
  "AgentState.tool_context.max_cache_files": "Files of the cache at most.",
  "AgentState.tool_context.read_file_cache": "Files that were read.",
  "AgentState.cur_iter": "Not kept.",
};
