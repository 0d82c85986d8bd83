// The whole protocol by name: what crosses the wire, and what both sides do with it. Files inside the house import
// the module that they mean; this page is for those outside.
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
export {
  STRUCTURED_OUTPUT_TOOL,
  structuredReplyMetadata,
  structuredSchemaOf,
} from "./structured-output.ts";
export type { JsonSchema } from "./structured-output.ts";
export { SHARED_STATE_UPDATED, UPDATE_SHARED_STATE_TOOL } from "./shared-state.ts";
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
export {
  AGENT_REFRESH_MS,
  DEAD_MAN_MS,
  DEFAULT_CONFIRMATION_TTL_SECONDS,
  DEFAULT_MAX_ITERS,
  DEFAULT_PAGE_LIMIT,
  DEFAULT_ROTATION_OVERLAP_MS,
  DEFAULT_TOKEN_TTL_SECONDS,
  DEFAULT_TOOL_MAX_BYTES,
  DEFAULT_TOOL_TIMEOUT_MS,
  DEFAULT_USAGE_DAYS,
  DELTA_COMMIT_BYTES,
  DELTA_COMMIT_MS,
  DELTA_SEND_WINDOW_MS,
  FOLLOW_IDLE_MS,
  FOLLOW_TOTAL_MS,
  HEARTBEAT_MS,
  KEY_CACHE_MS,
  KEY_LOOKUP_MS,
  KEY_LOOKUP_RETRY_MS,
  KEY_STALE_MS,
  LAST_USED_INTERVAL_MS,
  MAX_ALLOWED_ORIGINS,
  MAX_BODY_BYTES,
  MAX_CACHED_KEYS,
  MAX_CALL_ID_CHARACTERS,
  MAX_CREDENTIAL_CHARACTERS,
  MAX_DELTA_CHARACTERS,
  MAX_FALLBACK_MODELS,
  MAX_FIELD_ERRORS,
  MAX_HEADERS,
  MAX_HEADER_CHARACTERS,
  HISTORY_SLICE_BYTES,
  MAX_HISTORY_BYTES,
  MAX_INPUT_DEPTH,
  MAX_INPUT_MESSAGES,
  MAX_INPUT_VALUES,
  MAX_LISTED_MESSAGE_BYTES,
  MAX_LISTED_TEXT_BYTES,
  MAX_MAX_ITERS,
  MAX_MEDIA_BODY_BYTES,
  MAX_MESSAGE_ID_CHARACTERS,
  MAX_METADATA_BYTES,
  MAX_MODEL_EVENT_CHARACTERS,
  MAX_MODEL_RETRIES,
  MAX_QUEUED_BYTES,
  MAX_QUEUED_REPLIES,
  MAX_PAGE_BYTES,
  MAX_PAGE_LIMIT,
  MAX_PARALLEL_TOOL_CALLS,
  MAX_POINTER_CHARACTERS,
  MAX_REPLY_CHARACTERS,
  MAX_RETRY_AFTER_MS,
  MAX_ROTATION_OVERLAP_MS,
  MAX_ROW_BYTES,
  MAX_RULES,
  MAX_RULE_CHARACTERS,
  MAX_SCHEMA_CHECKS,
  MAX_STRUCTURED_SCHEMA_BYTES,
  MAX_STRUCTURED_SCHEMA_DEPTH,
  MAX_SUBSCRIBERS,
  MAX_THINKING_SIGNATURE_CHARACTERS,
  MAX_TOKEN_TTL_SECONDS,
  MAX_TOOLS,
  MAX_TOOL_BLOCKS,
  MAX_TOOL_ERROR_BYTES,
  MAX_TOOL_MAX_BYTES,
  MAX_TOOL_METADATA_BYTES,
  MAX_TOOL_TIMEOUT_MS,
  MAX_TRACESTATE_CHARACTERS,
  MAX_USAGE_DAYS,
  MAX_WAITING_SECONDS,
  MODEL_ANSWER_MS,
  MODEL_RETRY_MAX_MS,
  MODEL_RETRY_MS,
  MODEL_STALL_MS,
  OPENAPI_MAX_AGE_SECONDS,
  OUTBOX_RETRY_MAX_MS,
  OUTBOX_RETRY_MS,
  PREFLIGHT_MAX_AGE_SECONDS,
  RATE_LIMIT_WINDOW_SECONDS,
  REPLY_WAIT_MS,
  SEQ_RESERVATION,
  STRANGER_REQUESTS_PER_WINDOW,
  STREAM_RETRY_MS,
  STRUCTURED_OUTPUT_GRACE_ROUNDS,
  TENANT_REQUESTS_PER_WINDOW,
  UNAVAILABLE_RETRY_SECONDS,
  UNKNOWN_KEY_MS,
} from "./limits/general.ts";
export * from "./ag-ui-run.ts";
export * from "./limits/ag-ui.ts";
export * from "./limits/answers.ts";
export * from "./limits/credentials.ts";
export * from "./limits/audit.ts";
export * from "./idempotency-header.ts";
export * from "./limits/durability.ts";
export * from "./limits/idempotency.ts";
export * from "./limits/inbound.ts";
export * from "./limits/models.ts";
export * from "./limits/people.ts";
export * from "./limits/queues.ts";
export * from "./limits/quotas.ts";
export * from "./limits/reads.ts";
export * from "./limits/recovery.ts";
export * from "./limits/requests.ts";
export * from "./limits/state.ts";
export * from "./limits/validation.ts";
export * from "./limits/waking.ts";
export * from "./limits/webhooks.ts";
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
} from "./api/api-keys.ts";
export type {
  ApiKey,
  ApiKeyCreate,
  ApiKeyRevoke,
  ApiKeyRotate,
  CreatedApiKey,
  RevocationReason,
  RevokedApiKeys,
  Scope,
} from "./api/api-keys.ts";
export {
  AuditActionSchema,
  AuditActorSchema,
  AuditEntrySchema,
  AuditQuerySchema,
} from "./api/audit.ts";
export type { AuditAction, AuditEntry, AuditFilter, AuditQuery } from "./api/audit.ts";
export {
  COPY_ABANDONED_MS,
  COPY_BATCH_BYTES,
  MAX_DIRECTORY_CHARACTERS,
  MAX_STATE_MESSAGES,
  MAX_TIME_ZONE_CHARACTERS,
  MAX_UNTOLD_BYTES,
  MAX_UNTOLD_MESSAGES,
  MAX_WORKING_DIRECTORIES,
  RUNTIME_HINT_MAX_AGE_MS,
} from "./limits/sessions.ts";
