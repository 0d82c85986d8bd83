// Words of fields that the schemas of this room have.
export const TOOL_WORDS = {
  "ToolCall.input": "What the tool gets; it has to fit the tool's `input_schema`.",
  "ToolCall.version": "The version whose tool is called; the newest when left out.",
  "ToolCall.session_id":
    "A session of this agent in whose name the tool is called: its version, rules and end user count. In place of `version`.",
  "CalledTool.version": "The version whose tool was called.",
  "CalledTool.session_id": "The session in whose name it was called, or null.",
  "CalledTool.permission": "What the permission rules decide about such a call of a model.",
  "CalledTool.permission.behavior": "`allow` or `ask`: a call that is denied is refused.",
  "CalledTool.permission.reason": "Why, or null.",
  "CalledTool.permission.rule": "The rule that decided, or null.",
  "CalledTool.result": "As the block of a message.",
  "CalledTool.result.type": "Always `tool_result`.",
  "CalledTool.result.id": "The call's id, which the tool's server was told.",
  "CalledTool.result.name": "The tool.",
  "CalledTool.result.output": "Text and media, in the order in which they came.",
  "CalledTool.result.state": "`error` for a tool that failed, or took too long.",
  "CalledTool.result.metadata": "What the tool's server said beside its output.",
  "CalledTool.result.created_at": "When it was called.",
  "CalledTool.result.finished_at": "When its result was there.",
  "CalledTool.is_truncated": "Whether a part of the output was left out, as it is too large.",
  "CalledTool.http_status": "The status of an http tool's server, or null.",
  "CalledTool.duration_ms": "Milliseconds that the tool took.",
  edits_files:
    "It changes the file that `rule_argument` names: in mode accept_edits it runs without a confirmation inside the session's working directories.",
  rule_argument:
    "JSON pointer of the part of the input that rules with a content are matched against, such as `/path`; without it such rules match no call of the tool.",
  confirmation_message:
    "The sentence with which a person is asked about a call: one line of text in which `{order_id}` is a member of the input, `{customer/name}` one within a member, and `{{` a brace. The platform's own sentence when left out, and when the input lacks a member that it names.",
  return_direct:
    "A successful result is the reply's answer: its text and data become blocks of the message and the reply ends, without another model call. Only when all calls of the turn are of such tools and succeed; in a reply with structured output it has no effect. False when left out.",
  returns_untrusted:
    "Its results are untrusted content, such as mails and web pages: once the model was sent one, calls of tools with `sink` ask. False when left out.",
  sink: "It lets something out, or cannot be undone: its calls ask while the context has results of tools with `returns_untrusted`, whatever allow rules there are. False when left out.",
  editable:
    "JSON pointers of the parts of the input that a confirmation may change, such as `/amount`; a pointer covers all below it. Any part when left out, none when empty.",
  rule_syntax:
    "How a rule's content is matched: `exact`, `glob`, `path` or `command`; exact when left out. `path` and `command` also check for dangerous files and commands.",
  "HttpTool.concurrency_safe": "It may run in parallel with other calls of the same turn.",
  "HttpTool.description": "Tells the model what the tool does.",
  "HttpTool.idempotent": "Repeating a call with the same Idempotency-Key has no further effect.",
  "HttpTool.input_schema": "JSON Schema of the call's input: an object, 64 KB at most.",
  "HttpTool.max_bytes": "Bytes that the answer may have.",
  "HttpTool.name": "The name by which the model calls it.",
  "HttpTool.read_only": "It changes nothing: it runs without a confirmation.",
  "HttpTool.timeout_ms": "Milliseconds that a call may take.",
  "HttpTool.check_url":
    "An address that a check of the agent sends a GET to, in place of OPTIONS to `url`; it must not run the tool.",
  "HttpTool.headers":
    "Sent with each request. Names that are meant for secrets are refused; an older agent's are shown as `[redacted]`.",
  "HttpTool.secret_headers":
    "Credentials by the name of the header that each secret is sent in, as it is.",
  "HttpTool.signing_credential_id": "The credential whose secret signs the requests.",
  "ExternalTool.concurrency_safe":
    "Its calls may wait in parallel with other calls of the same turn.",
  "ExternalTool.description": "Tells the model what the tool does.",
  "ExternalTool.idempotent": "Repeating a call with the same id has no further effect.",
  "ExternalTool.input_schema": "JSON Schema of the call's input: an object, 64 KB at most.",
  "ExternalTool.name": "The name by which the model calls it.",
  "ExternalTool.read_only": "It changes nothing: it needs no confirmation.",
  "ExternalTool.result_ttl":
    "Seconds after which a call without a result fails; no limit when left out.",
  "AgentTool.agent_id": "The agent that is called, of the same tenant.",
  "AgentTool.allow_recursion":
    "The agent may be called where it, or an agent that has called it, is at work already; else such a call is refused as `agent_cycle`. False when left out.",
  "AgentTool.concurrency_safe":
    "It may work beside other calls of the same turn. True when left out: each call has a session of its own.",
  "AgentTool.description": "Tells the model what the agent does, and what to write to it.",
  "AgentTool.input_schema":
    "JSON Schema of the call's input: an object, 64 KB at most; one with a `message` when left out. The agent is told a message alone as text, and all else as JSON.",
  "AgentTool.max_depth":
    "The levels of agents that there may be below the first one, with those that the called agent calls in turn: 3 when left out, 8 at most. The lowest number on the way counts.",
  "AgentTool.name": "The name by which the model calls it.",
  "AgentTool.read_only":
    "Its calls run without a confirmation, also in mode explore. What the called agent does is asked about all the same, under the rules of both.",
  "AgentTool.returns_untrusted":
    "Its results are untrusted content: once the model was sent one, calls of tools with `sink` ask. True when left out.",
  "AgentTool.version":
    "The agent's version that is called; at each call the newest one when left out.",
  "A2aTool.answer_ttl":
    "Seconds that a question of the agent waits for a person, before its task is cancelled; an hour when left out.",
  "A2aTool.context":
    "`session`: the calls of a session are in one context of the agent, which remembers those before, one after another. `call`, when left out: each begins a new one.",
  "A2aTool.concurrency_safe":
    "It may work beside other calls of the same turn. True when left out: each call is a task of its own.",
  "A2aTool.description": "Tells the model what the agent does, and what to write to it.",
  "A2aTool.input_schema":
    "JSON Schema of the call's input: an object, 64 KB at most; one with a `message` when left out. The agent is told a message alone as text, and all else as JSON.",
  "A2aTool.name": "The name by which the model calls it.",
  "A2aTool.read_only": "Its calls run without a confirmation, also in mode explore.",
  "A2aTool.returns_untrusted":
    "Its results are untrusted content: once the model was sent one, calls of tools with `sink` ask. True when left out.",
  "CodeTool.name": "The name under which the function was deployed; the model calls it so.",
} as const;
