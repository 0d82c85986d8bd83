// The tools that an agent may have: HTTP, code and external ones, and those of MCP servers.
import type { Resource } from "../resource.ts";

export const TOOLS = {
  fieldDescriptions: {
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
    "CodeTool.name": "The name under which the function was deployed; the model calls it so.",
  },
} as const satisfies Resource;
