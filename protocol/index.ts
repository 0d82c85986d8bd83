// Public exports of the protocol: wire shapes and the functions that both sides share. Files of this repository import
// the module itself.
export {
  Base64SourceSchema,
  ContentBlockSchema,
  DataBlockSchema,
  HintBlockSchema,
  TextBlockSchema,
  TextOrDataBlockSchema,
  ThinkingBlockSchema,
  ToolCallBlockSchema,
  ToolCallStateSchema,
  ToolResultBlockSchema,
  ToolResultStateSchema,
  UrlSourceSchema,
} from "./messages/blocks.ts";
export type {
  Base64Source,
  ContentBlock,
  ContentBlockInput,
  ContentBlockType,
  DataBlock,
  HintBlock,
  TextBlock,
  TextOrDataBlock,
  ThinkingBlock,
  ToolCallBlock,
  ToolCallState,
  ToolResultBlock,
  ToolResultState,
  UrlSource,
} from "./messages/blocks.ts";
export {
  ErrorInfoSchema,
  ErrorTypeSchema,
  FinishedReasonSchema,
  MsgSchema,
  UsageSchema,
} from "./messages/messages.ts";
export type { ErrorInfo, ErrorType, FinishedReason, Msg, Usage } from "./messages/messages.ts";
export { RoleSchema } from "./messages/role.ts";
export type { Role } from "./messages/role.ts";
export { findRoleViolation } from "./messages/find-role-violation.ts";
export { AgentEventSchema, ConfirmResultSchema, InputEventSchema } from "./events.ts";
export type {
  AgentEvent,
  ConfirmResult,
  EventDraft,
  EventOf,
  InputEvent,
  LoggedEvent,
} from "./events.ts";
export { EventType } from "./event-type.ts";
export {
  PermissionBehaviorSchema,
  PermissionModeSchema,
  PermissionRuleSchema,
  RuleSyntaxSchema,
} from "./messages/permission.ts";
export type {
  PermissionBehavior,
  PermissionMode,
  PermissionRule,
  RuleSyntax,
} from "./messages/permission.ts";
export { currentTimestamp, generateId } from "./messages/defaults.ts";
export { AssistantMsg, SystemMsg, UserMsg } from "./messages/constructors.ts";
export type { MessageContent, MessageInit, MessageOptions } from "./messages/constructors.ts";
export { completeBlock } from "./messages/complete-block.ts";
export {
  getContentBlocks,
  getFirstContentBlock,
  getTextContent,
  hasContentBlocks,
} from "./messages/accessors.ts";
export type { ContentBlockOf } from "./messages/accessors.ts";
export { appendEvent, foldEvents, startMessage } from "./fold/append-event.ts";
export { CONDENSED, firstSeqOf } from "./fold/condensed-delta.ts";
export {
  STRUCTURED_OUTPUT_TOOL,
  structuredReplyMetadata,
  structuredSchemaOf,
} from "./structured-output.ts";
export type { JsonSchema } from "./structured-output.ts";
export {
  COMPRESS_CONTEXT_TOOL,
  CONTEXT_COMPRESSED,
  CONTEXT_COMPRESSION_FAILED,
  CONTEXT_TRUNCATED,
} from "./context-compression.ts";
export type {
  CompressionTrigger,
  ContextCompressedValue,
  ContextCompressionFailedValue,
  ContextTruncatedValue,
  LeftMessages,
  TruncationReason,
} from "./context-compression.ts";
export {
  DEFAULT_COMPRESSION_PROMPT,
  DEFAULT_SUMMARY_SCHEMA,
  DEFAULT_SUMMARY_TEMPLATE,
} from "./default-summary.ts";
export { ABILITY_STATE, abilityStateOf, type AbilityStateValue } from "./ability-state.ts";
export * from "./plans/plan.ts";
export * from "./limits/abilities/plans.ts";
export * from "./skills/skill.ts";
export * from "./skills/unpackable-names.ts";
export * from "./limits/abilities/skills.ts";
export * from "./custom-events/agent-version.ts";
export * from "./custom-events/tool-groups.ts";
export * from "./limits/abilities/tool-groups.ts";
export * from "./limits/abilities/mcp.ts";
export * from "./limits/abilities/mcp-apps.ts";
export * from "./limits/abilities/mcp-inputs.ts";
export * from "./custom-events/input-requests.ts";
export * from "./custom-events/model-forms.ts";
export * from "./custom-events/refused-media.ts";
export * from "./custom-events/tool-progress.ts";
export * from "./custom-events/mcp-tasks.ts";
export * from "./limits/abilities/mcp-tasks.ts";
export * from "./limits/abilities/mcp-sign-in.ts";
export * from "./messages/authorization.ts";
export * from "./limits/agent-mcp/agent-mcp.ts";
export * from "./limits/agent-mcp/token-issuers.ts";
export { SHARED_STATE, SHARED_STATE_UPDATED, UPDATE_SHARED_STATE_TOOL } from "./shared-state.ts";
export type { PatchOperation, StateObject, SharedStateUpdatedValue } from "./shared-state.ts";
export { continueTrace, traceIdOf } from "./trace-context.ts";
export type { TraceContext } from "./trace-context.ts";
export { REPLY_RECOVERED, STRUCTURED_OUTPUT, TOOL_CALL_EDITED } from "./fold/append-custom.ts";
export type {
  ReplyRecoveredValue,
  StructuredOutputValue,
  ToolCallEditedValue,
} from "./fold/append-custom.ts";
export { appendBase64, canonicalBase64, decodeBase64, encodeBase64 } from "./base64.ts";
export { parseEvent, parseMessage, safeParseEvent, safeParseMessage } from "./parse.ts";
export { normalizeEvent } from "./dialects/normalize-event.ts";
export { normalizeMessage } from "./dialects/normalize-message.ts";
export { normalizeBlock } from "./dialects/normalize-block.ts";
export {
  createSseDecoder,
  encodeComment,
  encodeEventFrame,
  encodeFrame,
  encodeRetry,
} from "./sse.ts";
export type { SseDecoder, SseFrame } from "./sse.ts";
export { ID_RANDOM_BYTES, TIMELESS_ID_MS, eventId, formatId, idTimeMs, isId } from "./ids.ts";
export type {
  AgentId,
  ApiKeyId,
  CredentialId,
  IdPrefix,
  MessageId,
  ReplyId,
  SessionId,
  TenantId,
} from "./ids.ts";
export { KEY_RANDOM_BYTES, apiKeyPrefix, formatApiKey, isApiKey } from "./api-key-format.ts";
export type { KeyMode } from "./api-key-format.ts";
export { ERRORS, accept, refuse, toProblem } from "./errors.ts";
export type { ErrorCode, FieldError, Problem, Refusal, Result } from "./errors.ts";
export { utf8Bytes } from "./utf8-bytes.ts";
export * from "./data-address.ts";
export * from "./file-address.ts";
export * from "./tool-result-reading.ts";
export * from "./messages/asked-because.ts";
export * from "./messages/untrusted-content.ts";
export * from "./limits/files.ts";
export * from "./ag-ui-run.ts";
export * from "./custom-events/agent-steps.ts";
export * from "./custom-events/hooks.ts";
export * from "./limits/ag-ui.ts";
export * from "./limits/abilities/agents-in-code.ts";
export * from "./limits/abilities/hooks.ts";
export * from "./limits/answers.ts";
export * from "./limits/audit.ts";
export * from "./limits/authentication.ts";
export * from "./limits/context.ts";
export * from "./limits/credentials.ts";
export * from "./limits/diagnostics.ts";
export * from "./limits/event-log.ts";
export * from "./limits/idempotency.ts";
export * from "./limits/inbound.ts";
export * from "./limits/models.ts";
export * from "./limits/permission-rules.ts";
export * from "./limits/queues.ts";
export * from "./limits/quotas.ts";
export * from "./limits/reads.ts";
export * from "./limits/recovery.ts";
export * from "./limits/replies.ts";
export * from "./limits/requests.ts";
export * from "./limits/sessions.ts";
export * from "./limits/shared-state.ts";
export * from "./limits/streams.ts";
export * from "./limits/tools.ts";
export * from "./limits/validation.ts";
export * from "./limits/webhooks.ts";
export * from "./idempotency-header.ts";
export { omitContent, omittedOf } from "./messages/omitted.ts";
export type { Omitted } from "./messages/omitted.ts";
export * from "./session-id-header.ts";
export {
  WEBHOOK_EVENT_TYPES,
  WebhookCallSchema,
  WebhookEventSchema,
} from "./api/webhooks/webhook-events.ts";
export type {
  WebhookCall,
  WebhookEvent,
  WebhookEventOf,
  WebhookEventType,
} from "./api/webhooks/webhook-events.ts";
export { matchesWebhookFilter, WEBHOOK_WILDCARDS } from "./api/webhooks/webhook-filter.ts";
export * from "./api/index.ts";
export {
  ApiKeyCreateSchema,
  ApiKeyListQuerySchema,
  ApiKeyRevokeQuerySchema,
  ApiKeyRevokeSchema,
  ApiKeyRotateSchema,
  ApiKeySchema,
  CreatedApiKeySchema,
  RevocationReasonSchema,
  RevokedApiKeysSchema,
  SCOPES,
  ScopeSchema,
} from "./api/tenants/api-keys.ts";
export type {
  ApiKey,
  ApiKeyCreate,
  ApiKeyRevoke,
  ApiKeyRotate,
  CreatedApiKey,
  RevocationReason,
  RevokedApiKeys,
  Scope,
} from "./api/tenants/api-keys.ts";
export {
  ConsoleLinkCreateSchema,
  ConsoleLinkSchema,
  ConsoleSignInSchema,
  CreatedConsoleLinkSchema,
} from "./api/tenants/console-links.ts";
export type {
  ConsoleAccess,
  ConsoleInvitation,
  ConsoleLink,
  ConsoleLinkCreate,
  ConsoleRefusal,
  CreatedConsoleLink,
} from "./api/tenants/console-links.ts";
export {
  AuditFilterSchema,
  AuditActionSchema,
  AuditActorSchema,
  AuditEntrySchema,
  AuditQuerySchema,
} from "./api/tenants/audit.ts";
export type { AuditAction, AuditEntry, AuditFilter, AuditQuery } from "./api/tenants/audit.ts";
