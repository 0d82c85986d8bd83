// Words of fields that the schemas of this room have.
export const AGENT_MCP_WORDS = {
  "McpMessage.id": "Missing in a notification.",
  "McpMessage.jsonrpc": "The version of JSON-RPC.",
  "McpMessage.method": "Such as `tools/call`.",
  "McpMessage.params": "The method's, with `_meta`.",
  "McpAnswer.error": "Why the message was not executed.",
  "McpAnswer.error.code": "A code of JSON-RPC or MCP.",
  "McpAnswer.error.data": "More about it, for programs.",
  "McpAnswer.error.message": "For people.",
  "McpAnswer.id": "The request's; null when it could not be read.",
  "McpAnswer.jsonrpc": "The version of JSON-RPC.",
  "McpAnswer.result": "The method's result.",
  "ResourceMetadata.authorization_servers": "The issuers of tokens that the endpoint takes.",
  "ResourceMetadata.bearer_methods_supported": "Tokens are sent in the header Authorization.",
  "ResourceMetadata.resource": "The endpoint's address, and the audience of tokens for it.",
} as const;
