// Words of fields that the schemas of this room have.
export const AGENT_WORDS = {
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
    "The model makes and follows plans, which people may give and change; null for none, as when left out. `tools`: `notebook`, those of AgentScope 1, one step after the other, or `tasks`, those of AgentScope 2. `max_subtasks`: subtasks that a plan may have, 100 when left out; null for as many as fit into its 32,768 bytes. `hint_template`: what the model is told before each call, with `{plan}`, `{subtask}`, `{subtask_idx}`, `{subtask_name}` and `{index}`: one text for every case, or one for each; null for none in that case.",
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
    "What gives the replies in place of the model loop: the name of an agent in code of this deployment, or the server of one (`type: http`), which is asked for each turn; null for none, as when left out.",
  "HttpCodeAgent.url": "The address that each turn is a POST to.",
  "HttpCodeAgent.signing_credential_id":
    "A credential of type `tool` whose secret is `whsec_…`: requests are signed as in Standard Webhooks.",
  "HttpCodeAgent.secret_headers":
    "Ids of credentials of type `tool`, by the name of the header in which each secret is sent.",
  "HttpCodeAgent.timeout_ms":
    "Milliseconds that one turn may take, to the last byte of its answer. 120,000 when left out.",
  "HttpCodeAgent.on_failure":
    "Without a valid answer `closed` ends the reply with an error, and `open` hands it over to the model loop. `closed` when left out.",
  "HttpCodeAgent.observe":
    "Whether the server is told of observed messages, as a hook at `post_observe` is. `false` when left out.",
  "HttpCodeAgent.handle_interrupt":
    "Whether the server says what a reply says after a user has interrupted it, in place of `on_interrupt`. `false` when left out.",
  "Agent.voice":
    "How the agent hears and speaks on a voice connection; null for none, as when left out.",
  "Agent.budget":
    "The budget of one reply; a reply beyond it is ended with an error. The platform's own limits apply when left out.",
  "Agent.budget.max_seconds":
    "Seconds that a reply may run, across restarts; waiting for people and external systems does not count. 7,200 when left out.",
  "Agent.budget.max_tokens":
    "Input and output tokens of a reply's model calls together. Checked before each call, so the last one may exceed it.",
  "Agent.warnings": "Parts of the agent that say nothing. Left out when there are none.",
  "AgentCheck.warnings":
    "Parts of the definition that say nothing, with the catalogues that the check has just read.",
  "AgentCheck.ok": "Whether nothing has failed; warnings leave it true.",
  "AgentCheck.model": "The agent's model.",
  "AgentCheck.fallbacks": "Its fallback models, in their order.",
  "AgentCheck.compression_model":
    "The model that writes summaries of long conversations, `context.compression_model`; null when it is the agent's own.",
  "AgentCheck.voice":
    "The models that write down and say what is spoken; left out when there are none, or only embedded ones.",
  "AgentCheck.code_agent":
    "The server of an agent in code over HTTP, asked whether it is there; left out where there is none.",
  "AgentCheck.tools": "Its tools, in their order.",
  "AgentCheck.tokens": "Tokens that the check has used.",
  "AgentCheck.version": "The version that was checked; in a request, the newest when left out.",
  "ModelCheck.provider": "The adapter that asked it.",
  "ModelCheck.credential_id": "The credential that was sent, or null.",
  "ToolCheck.type": "The kind of tool. Only http tools are asked.",
  "ToolCheck.method": "The method of the request, or null when none was sent.",
  "ModelCheck.name": "The model's name.",
  "ModelCheck.status":
    "`warning`: it was reached, but calls may be refused, or it could not be checked.",
  "ModelCheck.host": "Host and port that were asked, or null when nothing was sent.",
  "ModelCheck.http_status":
    "The HTTP status of a model that refused or of a tool's server, or null.",
  "ModelCheck.kind": "What went wrong, or null.",
  "ModelCheck.code": "The other side's error code, or null.",
  "ModelCheck.message": "The other side's message, redacted and cut, or null.",
  "ModelCheck.note": "What was found, in words.",
  "ModelCheck.hint": "What to do next, or null.",
  "ToolCheck.name": "The tool's name.",
  "ToolCheck.status":
    "`warning`: it was reached, but calls may be refused, or it could not be checked.",
  "ToolCheck.host": "Host and port that were asked, or null when nothing was sent.",
  "ToolCheck.http_status":
    "The HTTP status of a model that refused or of a tool's server, or null.",
  "ToolCheck.kind": "What went wrong, or null.",
  "ToolCheck.code": "The other side's error code, or null.",
  "ToolCheck.message": "The other side's message, redacted and cut, or null.",
  "ToolCheck.note": "What was found, in words.",
  "ToolCheck.hint": "What to do next, or null.",
  "RemoteAgentList.data": "The agent's model first, then its tools in their order.",
  "RemoteAgentView.tool_name":
    "The tool by which it is called; null for the one that gives the replies.",
  "RemoteAgentView.source": "Where the definition has its card from.",
  "RemoteAgentView.source_name":
    "The card's address, its name in the deployment, or the agent's in the registry; null for a card in the definition.",
  "RemoteAgentView.duration_ms": "Milliseconds until the card was there.",
  "RemoteAgentView.card": "What its card says; null where it cannot be used.",
  "RemoteAgentView.failure": "Why its card cannot be used now, or null.",
  "RemoteAgentView.last_failure":
    "How it failed last in a reply of the agent, as its diagnostics say it; null where it is not known to have failed.",
  "RemoteCard.name": "The agent's name.",
  "RemoteCard.description": "What it says that it is, 1,000 characters at most.",
  "RemoteCard.version": "The agent's own version; empty when it has none.",
  "RemoteCard.protocol_version": "The version of A2A that it is asked in.",
  "RemoteCard.binding": "The binding that it is asked by.",
  "RemoteCard.url": "The address at which it is asked.",
  "RemoteCard.streaming": "Whether its answers stream.",
  "RemoteCard.push_notifications": "Whether it tells by itself when a task has changed.",
  "RemoteCard.is_signed":
    "True where one of the definition's `pinned_keys` has signed the card; null where it pins none.",
  "RemoteCard.skills": "Its skills, 20 at most.",
  "RemoteCard.skill_count": "How many skills the card has.",
  "RemoteSkill.id": "The skill's id.",
  "RemoteSkill.name": "Its name.",
  "RemoteSkill.description": "What it does, 1,000 characters at most.",
} as const;
