// Public exports of the SDK.
export { Reprise } from "./reprise.ts";
export { connectSession } from "./session/connect-session.ts";
export { SessionHandle } from "./session/session-handle.ts";
// With the shapes that its handles answer, so that a handle is written in one place.
export * from "./session/tenant-session.ts";
export { connectRoom } from "./rooms/connect-room.ts";
export { RoomHandle } from "./rooms/room-handle.ts";
export { TenantRoom } from "./rooms/tenant-room.ts";
export { participantOf, roomEventOf } from "../protocol/rooms/events.ts";
export {
  appendRoomEvent,
  EMPTY_CONVERSATION,
  foldRoom,
  saidMessages,
} from "../protocol/rooms/fold.ts";
export { ReplyStream } from "./session/reply-stream.ts";
export { Paged } from "./transport/paged.ts";
export { ApiError } from "./transport/api-error.ts";
export { ConnectionError } from "./transport/connection-error.ts";
export {
  answerCallback,
  confirmEvent,
  readCallback,
  toolResultEvent,
} from "./answers/callbacks.ts";
export { answerQuestions } from "./answers/answer-questions.ts";
export { webhooks } from "./webhooks/webhooks.ts";
export { WebhookVerificationError } from "./webhooks/webhook-verification-error.ts";
export { AssistantMsg, SystemMsg, UserMsg } from "../protocol/messages/constructors.ts";
export {
  getContentBlocks,
  getFirstContentBlock,
  getTextContent,
  hasContentBlocks,
} from "../protocol/messages/accessors.ts";
export { omittedOf } from "../protocol/messages/omitted.ts";
export { appendEvent, foldEvents, startMessage } from "../protocol/fold/append-event.ts";
export { EventType } from "../protocol/event-type.ts";
export { PlaybackClock, type PlayedAudio } from "./voice/playback-clock.ts";
export { describeProgress } from "../protocol/tools/events.ts";

export type {
  FetchFunction,
  ReconnectOptions,
  RepriseOptions,
  WebSocketClass,
} from "./transport/reprise-options.ts";
export type { RequestOptions } from "./transport/api-request.ts";
export type { ConnectionState, StreamOptions } from "./events/read-events.ts";
export type {
  EventsOptions,
  InterruptOptions,
  ReplyOptions,
  ResumeOptions,
} from "./session/session-handle.ts";
export type { Voice } from "./voice/voice.ts";
export type {
  CallConfirmation,
  CallResults,
  FrameOptions,
  SpeakOptions,
  VoiceAudio,
  VoiceError,
  VoiceEvents,
  VoicePlayer,
  VoiceStart,
  VoiceState,
} from "./voice/voice-options.ts";
export type { RoomFilter, Rooms } from "./rooms/rooms.ts";
export type { RoomEventsOptions, SayOptions } from "./rooms/room-handle.ts";
export type { RoomStates, RoomTokens } from "./rooms/tenant-room.ts";
export type {
  ListedRoomInput,
  Room,
  RoomInputRequest,
  RoomPendingCall,
  RoomSummary,
  RoomTurns,
  WrittenRoom,
} from "../protocol/rooms/contract.ts";
export type {
  RoomEventReceipt,
  RoomInputReceipt,
  RoomInterruptResult,
  RoomMessagePage,
  RoomMessageReceipt,
} from "../protocol/rooms/conversation.ts";
export type { RoomParticipant } from "../protocol/rooms/participants.ts";
export type { RoomEvent } from "../protocol/rooms/events.ts";
export type { RoomConversation, RoomMessage, RoomTurn } from "../protocol/rooms/fold.ts";
export type { RoomStateExport } from "../protocol/rooms/room-state.ts";
export type { MintedRoomToken, RoomToken, RoomVerb } from "../protocol/rooms/room-tokens.ts";
export type { AnswerOptions, ToolFunction } from "./answers/call-answerer.ts";
export type { ConfirmAnswer, ToolOutput } from "./answers/answer-event.ts";
export type { AnswerOf } from "./answers/answer-each.ts";
export type { CallsToAnswer } from "./answers/find-calls.ts";
export type { CallbackOptions } from "./answers/callbacks.ts";
export type { SignOptions } from "./webhooks/sign-webhook.ts";
export type { UnwrapOptions, WebhookHeaders } from "./webhooks/unwrap-webhook.ts";
export type { ReplyReadOptions } from "./session/reply-stream.ts";
export type { ReplyCreateOptions } from "./resources/replies.ts";
export type {
  MessageInput,
  ReplyInput,
  ReplyRequestOptions,
  StructuredSchema,
} from "./resources/reply-input.ts";
export type { MessagePage, StoredMessage } from "../protocol/sessions/contract.ts";
export type * from "./resources/message-forms.ts";
export type { ListQuery } from "./transport/paged.ts";
export type { McpPage } from "./resources/mcp/mcp-page.ts";
export type { Skills } from "./resources/skills.ts";
export type { MemoriesHandle, MemoryFilter } from "./resources/memories-at.ts";
export type {
  Consolidations,
  MemoryStoreFilter,
  MemoryStores,
  StoredMemories,
} from "./resources/memory-stores.ts";
export type { MemoryConsolidation } from "../protocol/memory/consolidation.ts";
export type {
  FoundMemories,
  Memory,
  MemoryStoreRecord,
  MemoryVersion,
  RedactedMemory,
} from "../protocol/memory/contract.ts";
export type {
  TriggerFilter,
  TriggerRunFilter,
  TriggerRuns,
  Triggers,
} from "./resources/triggers.ts";
export type {
  CreatedTrigger,
  Trigger,
  TriggerRun,
  TriggerSchedule,
} from "../protocol/triggers/contract.ts";
export type { FileListFilter, Files } from "./resources/files.ts";
export type { UploadOptions } from "./resources/upload-file.ts";
export type { ConfirmationFilter } from "./resources/confirmations.ts";
export type { DecisionFilter } from "./resources/decisions.ts";
export type { DeliveryFilter } from "./resources/webhook-endpoints.ts";
export type { SessionListFilter } from "./session/sessions.ts";
export type { ApiKeyTenant } from "./resources/api-keys.ts";
export type { UsageFilter } from "./reprise.ts";
export type { ToolProgress, ToolProgressValue } from "../protocol/tools/events.ts";
export type { AgentEvent, EventOf, LoggedEvent } from "../protocol/events.ts";
export type { ContentBlock, ContentBlockInput } from "../protocol/messages/blocks.ts";
export type { Omitted } from "../protocol/messages/omitted.ts";
export type { CallReasons } from "../protocol/messages/call-reasons.ts";
export type { Msg, Usage } from "../protocol/messages/messages.ts";
export type { Role } from "../protocol/messages/role.ts";
export type { ErrorCode } from "../protocol/errors.ts";
export type { FieldError } from "../protocol/field-error.ts";
export type { Problem } from "../protocol/problem.ts";
export type { Page } from "../protocol/schemas/common.ts";
export type {
  Agent,
  AgentDefinition,
  AgentVersion,
  CheckedDefinition,
  WrittenAgent,
} from "../protocol/agents/contract.ts";
export type { RemoteAgentList, RemoteAgentView } from "../protocol/agents/remote-agents.ts";
export type { AgentCheck, ModelCheck, ToolCheck } from "../protocol/agents/agent-check.ts";
export type * from "./resources/agent-turns.ts";
export type {
  SubagentCallValue,
  SubagentEventValue,
  SubagentRequireUserConfirmValue,
  SubagentUserConfirmResultValue,
} from "../protocol/agents/events.ts";
export type { ApiKey, CreatedApiKey, RevokedApiKeys, Scope } from "../protocol/keys/contract.ts";
export type { EndUserExportLine, EndUserRemoval } from "../protocol/end-users/contract.ts";
export type { AuditAction, AuditEntry, AuditFilter } from "../protocol/audit/contract.ts";
export type {
  ConsoleAccess,
  ConsoleInvitation,
  ConsoleRefusal,
  CreatedConsoleLink,
} from "../protocol/console/contract.ts";
export type { ClientToken, LiveToken, Verb } from "../protocol/client-tokens/contract.ts";
export type { StreamTicket } from "../protocol/events/stream-tickets.ts";
export type { AnswerReceipt, Callback } from "../protocol/inbound/callbacks.ts";
export type { Confirmation, ConfirmationOutcome } from "../protocol/confirmations/contract.ts";
export type { OperatorHealth } from "../protocol/operator/contract.ts";
export type { TenantActivity } from "../protocol/operator/tenant-activity.ts";
export type { SimulatedCall, Simulation } from "../protocol/decisions/simulation.ts";
export type { TenantDecision } from "../protocol/decisions/contract.ts";
export type { EventReceipt } from "../protocol/events/contract.ts";
export type { FileLink, StoredFile } from "../protocol/files/contract.ts";
export type {
  Skill,
  SkillFile,
  SkillVersion,
  SkillVersionSummary,
} from "../protocol/skills/contract.ts";
export type { KnownModel } from "../protocol/models/known-models.ts";
export type {
  CallWait,
  ModelCallDiagnostics,
  ReplyDiagnostics,
  ToolCallDiagnostics,
} from "../protocol/diagnostics/contract.ts";
export type { ForkedFrom } from "../protocol/sessions/fork.ts";
export type {
  McpCatalogueTool,
  McpContent,
  McpServer,
  McpToolList,
  McpToolResult,
} from "../protocol/mcp/contract.ts";
export type { McpOAuth } from "../protocol/mcp/mcp-oauth.ts";
export type { Connection, ConnectionStatus } from "../protocol/mcp/connections.ts";
export type { AuthorizationRequired } from "../protocol/messages/call-reasons.ts";
export type { InputRequest } from "../protocol/mcp/elicitation.ts";
export type { InputResponse, InputResponses } from "../protocol/mcp/events.ts";
export type { McpTool } from "../protocol/tools/mcp-tool.ts";
export type { InvitedMember, Member, RemovedMember } from "../protocol/members/contract.ts";
export type { MemberRole } from "../protocol/members/roles.ts";
export type {
  InvitedOperatorMember,
  OperatorMember,
  RemovedOperatorMember,
} from "../protocol/members/operator-contract.ts";
export type { OperatorRight, OperatorRole } from "../protocol/members/operator-roles.ts";
export type { MemberInvitation, PasskeyChallenge } from "../protocol/members/passkey.ts";
export type { SignInAddress, SignInChoices } from "../protocol/sign-in-providers/messages.ts";
export type { SignInProvider } from "../protocol/sign-in-providers/contract.ts";
export type { OperatorSignInProvider } from "../protocol/sign-in-providers/operator-contract.ts";
export type { TokenIssuer } from "../protocol/token-issuers/contract.ts";
export type { CreatedInboundEndpoint, InboundEndpoint } from "../protocol/inbound/contract.ts";
export type { Compression, SessionContext } from "../protocol/context/compression.ts";
export type { Observed } from "../protocol/sessions/observe.ts";
export type {
  CheckedRules,
  Decision,
  RuleTestResult,
  SessionRule,
} from "../protocol/permission/contract.ts";
export type { WrittenRules } from "./resources/permission-rules.ts";
export type { WriteOptions } from "./resources/write-options.ts";
export type { PermissionMode, PermissionRule } from "../protocol/messages/permission.ts";
export type {
  Replay,
  ReplayedCall,
  ReplayedReply,
  ReplayProgress,
  ReplayStop,
} from "../protocol/replay/contract.ts";
export type { CalledTool } from "../protocol/tools/tool-calls.ts";
export type { Restored } from "../protocol/sessions/restore.ts";
export type { AgentState } from "../protocol/sessions/session-state.ts";
export type { Warning } from "../protocol/warning.ts";
export type { WebhookAttempt, WebhookDelivery } from "../protocol/webhooks/webhook-deliveries.ts";
export type {
  CallbackVerb,
  CreatedWebhookEndpoint,
  WebhookEndpoint,
  WrittenWebhookEndpoint,
} from "../protocol/webhooks/contract.ts";
export type {
  WebhookEvent,
  WebhookEventOf,
  WebhookEventType,
} from "../protocol/webhooks/webhook-events.ts";
export type {
  InterruptResult,
  PendingCall,
  Reply,
  ReplyStatus,
  ReplySubagent,
  SubagentPendingCall,
} from "../protocol/replies/contract.ts";
export type { SessionSearch } from "../protocol/search/contract.ts";
export type {
  Session,
  SessionPage,
  SessionStatus,
  SessionSummary,
  WrittenSession,
} from "../protocol/sessions/contract.ts";
export type { Credential } from "../protocol/credentials/contract.ts";
export type {
  EndUserLimits,
  EndUserShare,
  EndUserShareChange,
} from "../protocol/quotas/end-user-share.ts";
export type { QuotaName, QuotasChange, TenantLimits } from "../protocol/quotas/contract.ts";
export type { SeriesPoint, UsageSeries, UsageSeriesFilter } from "../protocol/usage/series.ts";
export type { UsageRow } from "../protocol/usage/contract.ts";
export type { CreatedTenant, Tenant } from "../protocol/tenants/contract.ts";
