// Words of fields that the schemas of this room have.
export const MCP_WORDS = {
  "McpServer.name":
    "1 to 24 letters and digits, with single `_` and `-` between them. Models know its tools as `mcp__<name>__<tool>`.",
  "McpServer.transport":
    "`streamable_http`. Servers over stdio, and those that speak the old HTTP+SSE alone, are not on this platform.",
  "McpServer.url": "The address of the server's endpoint.",
  "McpServer.headers": "Sent with each request. Names that are meant for secrets are refused.",
  "McpServer.secret_headers":
    "Credentials by the name of the header that each secret is sent in, as it is.",
  "McpServer.oauth": "Signs in with OAuth, in place of a credential; see docs/mcp.md.",
  "McpServer.oauth.grant":
    "`client_credentials`: the platform as itself; `authorization_code`: a person signs in.",
  "McpServer.oauth.owner":
    "Whose grant a call uses: the `tenant`'s one for all of its end users, or that of the session's own `end_user`.",
  "McpServer.oauth.issuer":
    "The authorization server; the one that the server's metadata names when left out.",
  "McpServer.oauth.client_id":
    "A client that was registered there before; the platform registers one when left out.",
  "McpServer.oauth.client_credential_id":
    "A credential with the client's secret, sent to its `allowed_hosts` alone. Needs `issuer`.",
  "McpServer.oauth.scope": "Separated by spaces; as the server's metadata says when left out.",
  "McpServer.oauth.opener_origins":
    "Origins of pages that get the code of a sign-in as a message; it is only shown when left out.",
  "McpServer.stateful":
    "A session of the platform keeps one session of the server over all of its replies. Otherwise each reply begins a new one.",
  "McpServer.timeout_ms": "Milliseconds without an answer or progress after which a call fails.",
  "McpServer.max_bytes": "Bytes that one answer may have.",
  "McpServer.version": "Counts the changes of its settings, from 1.",
  "McpServer.updated_at": "When it was last changed.",
  "McpToolCall.input": "The arguments, as the tool's schema has them.",
  "McpToolCall.end_user_id":
    "With whose grant, where end users sign in themselves; it is required there.",
  "McpToolList.protocol_version": "The version of the protocol that the server was found to speak.",
  "McpToolList.left_out": "What the server lists and `data` lacks; null when it lacks nothing.",
  "McpLeftOut.reason":
    "`too_many`: more than 256 tools; `too_large`: more than 1 MB in all; `endless`: more than 16 pages, or pages that lead back to an earlier one.",
  "McpLeftOut.tools": "Tools that were read and are not in `data`.",
  "McpLeftOut.has_more": "The server lists more than was read.",
  "McpLeftOut.detail": "What that means, and what to do about it.",
  "McpToolList.data": "In the server's order.",
  "McpToolList.data.name": "The server's own name of it.",
  "McpToolList.data.tool_name":
    "The name under which models know it, and permission rules name it.",
  "McpToolList.data.title": "The server's title of it.",
  "McpToolList.data.description": "Tells the model what the tool does. The server's own words.",
  "McpToolList.data.input_schema": "JSON Schema of the arguments.",
  "McpToolList.data.output_schema":
    "JSON Schema of its structured content; left out when it has none that can be used.",
  "McpToolList.data.annotations":
    "What the server says of the tool. Nobody vouches for it: it makes no call pass without a question.",
  "McpToolList.data.annotations.read_only": "It changes nothing.",
  "McpToolList.data.annotations.destructive": "It may destroy something.",
  "McpToolList.data.annotations.idempotent": "Repeating a call has no further effect.",
  "McpToolList.data.annotations.open_world": "It deals with a world beyond its server.",
  "McpToolList.data.ui": "Of its page; left out when it has none, and both may call it.",
  "McpToolList.data.ui.resource_uri":
    "The page that shows its results: `GET /v1/sessions/{session_id}/mcp-resources`.",
  "McpToolList.data.ui.visibility":
    "Who may call the tool: `model`, `app`. Without `model`, no model is offered it.",
  "McpToolList.data.task_support":
    "Whether calls may be, or have to be, tasks (2025-11-25); left out when they cannot.",
  "McpToolList.data.disabled_reason":
    "Why no model is offered it; null for a tool that can be called.",
  "McpToolList.read_at": "When the server was asked.",
  "McpToolList.expires_at": "Until when the answer is used.",
  "McpToolResult.name": "The tool, by the server's own name.",
  "McpToolResult.state": "`error` when the tool says that it failed.",
  "McpToolResult.content": "Text and data, in the tool's order.",
  "McpToolResult.structured_content":
    "What it gives for programs; null when it gives nothing, or not what it has declared.",
  "McpToolResult.duration_ms": "Milliseconds that the call took.",
  "McpTool.server_id": "The MCP server.",
  "McpTool.enable": "Tools that the model may call, by the server's names; all when left out.",
  "McpTool.disable": "Tools that the model may not call, by the server's names.",
  "McpTool.permissions":
    "What happens to a call that no rule decides, by the server's names; `*` for all others. As the permission mode says when left out.",
  "McpTool.sinks":
    "Tools that let something out or cannot be undone: their calls ask while the context has untrusted content.",
  "McpTool.returns_untrusted":
    "Nobody vouches for what the results say. True when left out: say false for a server of your own.",
  "McpTool.elicitation_ttl":
    "Seconds that a question of the server waits for a person, before it is cancelled. 600 when left out.",
  "McpTool.trust_annotations":
    "A call of a tool whose annotations call it idempotent or read-only is repeated after a crash, or when the connection was closed before any answer. False when left out.",
  server_id: "The MCP server.",
  mcp_server_id: "The MCP server.",
  connection_id: "The grant that a sign-in is awaited for.",
  authorization:
    "The sign-in that the call waits for, in place of a result; left out of all other calls.",
  "Connection.end_user_id": "Whose it is; null for the tenant's own.",
  "Connection.status":
    "`waiting`: a sign-in has begun; `active`: calls use it; `failed`: it was revoked, has ended or was refused.",
  "Connection.issuer": "The authorization server; null before it was found.",
  "Connection.scope":
    "What was granted, separated by spaces: what was asked for when the issuer does not say. Null for neither.",
  "Connection.failure": "Why it failed; null otherwise.",
  "Connection.updated_at": "When it was last changed.",
  "ConnectionComplete.code": "What the page at the end of the sign-in shows.",
} as const;
