// Words of fields that the schemas of this room have.
export const REPLY_WORDS = {
  pending: "The tool calls that wait for an answer.",
  "InterruptResult.interrupted": "False when nothing ran and nothing waited.",
  "InterruptResult.reply": "The reply that was ended, or null.",
  "Reply.subagents": "Agents that the reply's calls have called; left out when there is none.",
  "Reply.subagents.session_id": "The session in which the agent works, which an API key can read.",
  "Reply.subagents.agent_id": "The agent.",
  "Reply.subagents.status":
    "`waiting` for room in a quota or for other agents of the reply, `working`, or `ended`, whatever the end.",
  "Reply.subagents.input_tokens":
    "Of the agent and of those that it has called, as it was heard of last; `usage` does not have them.",
  "Reply.subagents.output_tokens": "As the input tokens.",
  "Reply.subagents.cost_usd": "As the tokens; null where a part of it is not known.",
  "Reply.subagents.pending":
    "What waits for an answer in the agent's session and in those below it: answer it in this session, or in its own.",
  "PendingCall.session_id": "The session whose reply waits.",
  "PendingCall.agent_id": "The agent of that session.",
  "PendingCall.reply_id": "The reply that waits: an answer names it.",
  "Reply.tasks":
    "What the servers of MCP tools work on for its calls, which goes on by itself: nobody has to answer. Left out when there is none.",
  "Reply.tasks.tool_name": "The name under which the model knows the tool.",
  "Reply.tasks.server": "The name of the server.",
  "Reply.tasks.status": "As the server said it last.",
  "Reply.tasks.message": "The server's words about it, on one line, or null.",
  "Reply.tasks.expires_at": "Until when the call waits for it at most.",
  "PendingCall.input_hash": "Binds an answer to this input, or null.",
  "PendingCall.question":
    "The sentence with which to ask a person, made of the tool's `confirmation_message` and the input: plain text on one line, never markup.",
  "PendingCall.editable":
    "JSON pointers to what an edit may change; left out where it may change everything, empty where nothing.",
  "PendingCall.reasons":
    "Why it asks; left out of calls that wait for a result, and of those that asked before this member was there.",
  "PendingCall.reasons.reason": "In words; null where nothing but the rule says it.",
  "PendingCall.reasons.rule": "The rule that decided, or null.",
  "PendingCall.reasons.untrusted":
    "The calls that brought in the untrusted content because of which it asks; empty where that is not why.",
  "PendingCall.elicitation":
    "What the server of an MCP tool asks a person for; the answer is the call's result. Left out of all other calls.",
  "PendingCall.elicitation.server": "The name of the server that asks.",
  "PendingCall.elicitation.round": "How often the call has asked, from 1.",
  "PendingCall.elicitation.requests": "By a key of the server: forms and links.",
  "PendingCall.kind": "Who has to answer: a person, or an external system.",
  "PendingCall.omitted":
    "The input and the rules are left out, because they are too large for an answer; the reply's message has them.",
  "PendingCall.omitted.bytes": "The input's size.",
  "Reply.background": "Answer 202 at once; the reply runs on.",
  "Reply.input": "The user's input: a text, a message, messages, or blocks.",
  "Reply.message": "The message as far as it is durable; null before REPLY_START.",
  "Reply.on_busy":
    "What to do when a reply runs or waits already: refuse this one, queue it, or end the other.",
  "Reply.structured_schema":
    "JSON Schema of the reply's structured output, in place of the agent's; null for a text.",
  "Reply.model":
    "The name of one of the agent's models: its own, an allowed one, or a fallback. With an API key only.",
  "Reply.parameters":
    "Parameters of its model calls, in place of the definition's; each provider gets those that it knows, under its own names. With an API key only.",
  "Reply.parameters.temperature": "From 0 to 2; how much the model varies.",
  "Reply.parameters.top_p": "The share of likely tokens that are considered.",
  "Reply.parameters.max_tokens": "Output tokens of one model call.",
  "Reply.parameters.stop": "Texts at which the model stops.",
  "Reply.parameters.seed": "For answers that are the same again, as far as the provider can.",
  "Reply.parameters.presence_penalty": "From -2 to 2; above 0 the model changes its topics.",
  "Reply.parameters.frequency_penalty": "From -2 to 2; above 0 the model repeats itself less.",
  "Reply.tool_choice":
    "Which tools the model may or has to call. `required` and a name hold until the reply has made a call. With an API key only.",
  "Reply.parallel_tool_calls":
    "False: at most one call in a turn. With an API key only; the provider decides when left out.",
  "Reply.reasoning_effort":
    "How much the model thinks; a provider with fewer steps gets the nearest one. With an API key only.",
  "Reply.model_options.model":
    "The name of one of the agent's models: its own, an allowed one, or a fallback. With an API key only.",
  "Reply.model_options.parameters":
    "Parameters of its model calls, in place of the definition's; each provider gets those that it knows, under its own names. With an API key only.",
  "Reply.model_options.parameters.temperature": "From 0 to 2; how much the model varies.",
  "Reply.model_options.parameters.top_p": "The share of likely tokens that are considered.",
  "Reply.model_options.parameters.max_tokens": "Output tokens of one model call.",
  "Reply.model_options.parameters.stop": "Texts at which the model stops.",
  "Reply.model_options.parameters.seed":
    "For answers that are the same again, as far as the provider can.",
  "Reply.model_options.parameters.presence_penalty":
    "From -2 to 2; above 0 the model changes its topics.",
  "Reply.model_options.parameters.frequency_penalty":
    "From -2 to 2; above 0 the model repeats itself less.",
  "Reply.model_options.tool_choice":
    "Which tools the model may or has to call. `required` and a name hold until the reply has made a call. With an API key only.",
  "Reply.model_options.parallel_tool_calls":
    "False: at most one call in a turn. With an API key only; the provider decides when left out.",
  "Reply.model_options.reasoning_effort":
    "How much the model thinks; a provider with fewer steps gets the nearest one. With an API key only.",
  "Reply.model_options":
    "How its models are called, as its request has set it; left out when it has set nothing.",
  "Reply.stream": "Answer with the reply's events as server-sent events.",
} as const;
