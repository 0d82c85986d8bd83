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
} from "./blocks.ts";
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
} from "./blocks.ts";
export {
  ErrorInfoSchema,
  ErrorTypeSchema,
  FinishedReasonSchema,
  MsgSchema,
  RoleSchema,
  UsageSchema,
} from "./messages.ts";
export type { ErrorInfo, ErrorType, FinishedReason, Msg, Role, Usage } from "./messages.ts";
export { findRoleViolation } from "./roles.ts";
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
} from "./permission.ts";
export type { PermissionBehavior, PermissionMode, PermissionRule } from "./permission.ts";
export { currentTimestamp, generateId } from "./defaults.ts";
export { AssistantMsg, SystemMsg, UserMsg } from "./constructors.ts";
export type { MessageContent, MessageInit, MessageOptions } from "./constructors.ts";
export { completeBlock } from "./complete-block.ts";
export {
  getContentBlocks,
  getFirstContentBlock,
  getTextContent,
  hasContentBlocks,
} from "./accessors.ts";
export type { ContentBlockOf } from "./accessors.ts";
export { appendEvent, foldEvents, startMessage } from "./append-event.ts";
export { REPLY_RECOVERED, TOOL_CALL_EDITED } from "./append-custom.ts";
export type { ReplyRecoveredValue, ToolCallEditedValue } from "./append-custom.ts";
export { appendBase64, canonicalBase64, decodeBase64, encodeBase64 } from "./base64.ts";
export { parseEvent, parseMessage, safeParseEvent, safeParseMessage } from "./parse.ts";
export { normalizeEvent } from "./dialects/normalize-event.ts";
export { normalizeMessage } from "./dialects/normalize-message.ts";
export { normalizeBlock } from "./dialects/normalize-block.ts";
export { createSseDecoder, encodeComment, encodeEventFrame, encodeRetry } from "./sse.ts";
export type { SseDecoder, SseFrame } from "./sse.ts";
export { ID_RANDOM_BYTES, eventId, formatId, isId } from "./ids.ts";
export type {
  AgentId,
  ApiKeyId,
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
export { utf8Bytes } from "./utf8.ts";
export {
  DEAD_MAN_MS,
  DEFAULT_MAX_ITERS,
  DEFAULT_PAGE_LIMIT,
  DEFAULT_TOOL_MAX_BYTES,
  DEFAULT_TOOL_TIMEOUT_MS,
  DELTA_COMMIT_BYTES,
  DELTA_COMMIT_MS,
  DELTA_SEND_WINDOW_MS,
  FOLLOW_IDLE_MS,
  FOLLOW_TOTAL_MS,
  HEARTBEAT_MS,
  MAX_BODY_BYTES,
  MAX_DELTA_CHARACTERS,
  MAX_ERASED_SESSIONS,
  MAX_FIELD_ERRORS,
  MAX_HISTORY_BYTES,
  MAX_INPUT_DEPTH,
  MAX_INPUT_MESSAGES,
  MAX_INPUT_VALUES,
  MAX_MAX_ITERS,
  MAX_MEDIA_BODY_BYTES,
  MAX_MESSAGE_ID_CHARACTERS,
  MAX_METADATA_BYTES,
  MAX_MODEL_EVENT_CHARACTERS,
  MAX_PAGE_LIMIT,
  MAX_PARALLEL_TOOL_CALLS,
  MAX_POINTER_CHARACTERS,
  MAX_ROW_BYTES,
  MAX_SUBSCRIBERS,
  MAX_TOOLS,
  MAX_TOOL_ERROR_BYTES,
  MAX_TOOL_MAX_BYTES,
  MAX_TOOL_TIMEOUT_MS,
  MODEL_ANSWER_MS,
  MODEL_STALL_MS,
  PREFLIGHT_MAX_AGE_SECONDS,
  REPLY_WAIT_MS,
  SEQ_RESERVATION,
  STREAM_RETRY_MS,
} from "./limits.ts";
export { PATH_PARAMETERS, REPLY_ID_HEADER, ROUTES } from "./api/routes.ts";
export type { Access, Route, RouteName } from "./api/routes.ts";
export { MetadataSchema, NameSchema, PageQuerySchema, TimestampSchema } from "./api/common.ts";
export type { Page, PageQuery } from "./api/common.ts";
export {
  CreatedTenantSchema,
  TenantCreateSchema,
  TenantSchema,
  TenantUpdateSchema,
} from "./api/tenants.ts";
export type { CreatedTenant, Tenant, TenantCreate, TenantUpdate } from "./api/tenants.ts";
export {
  ApiKeyCreateSchema,
  ApiKeyListQuerySchema,
  ApiKeySchema,
  ApiKeyTenantQuerySchema,
  CreatedApiKeySchema,
  SCOPES,
  ScopeSchema,
} from "./api/api-keys.ts";
export type { ApiKey, ApiKeyCreate, CreatedApiKey, Scope } from "./api/api-keys.ts";
export {
  AgentCreateSchema,
  AgentUpdateSchema,
  HttpToolSchema,
  ModelSchema,
  ToolNameSchema,
  ToolSchema,
} from "./api/agents.ts";
export type {
  Agent,
  AgentDefinition,
  AgentUpdate,
  HttpTool,
  ModelDefinition,
  ToolDefinition,
} from "./api/agents.ts";
export {
  SessionCreateSchema,
  SessionListQuerySchema,
  SessionStatusSchema,
} from "./api/sessions.ts";
export type {
  Session,
  SessionCreate,
  SessionListQuery,
  SessionStatus,
  SessionSummary,
} from "./api/sessions.ts";
export { InputMessageSchema, ReplyCreateSchema, ReplyInputSchema } from "./api/replies.ts";
export type {
  InputMessage,
  InterruptResult,
  PendingCall,
  Reply,
  ReplyCreate,
  ReplyStatus,
} from "./api/replies.ts";
export { EventsQuerySchema } from "./api/events.ts";
export type { EventsQuery } from "./api/events.ts";
