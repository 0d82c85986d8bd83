// Public exports: schemas and types of the HTTP API.
export { BODY_BYTES, PATH_PARAMETERS, REPLY_ID_HEADER, ROUTES } from "./routes/routes.ts";
export type { Access, Route, RouteName } from "./routes/routes.ts";
export { MetadataSchema, NameSchema, PageQuerySchema, TimestampSchema } from "./schemas/common.ts";
export type { Page, PageQuery } from "./schemas/common.ts";
export * from "./ag-ui/ag-ui.ts";
export * from "./ag-ui/ag-ui-capabilities.ts";
export * from "./ag-ui/ag-ui-event.ts";
export * from "./ag-ui/ag-ui-queries.ts";
export * from "./ag-ui/ag-ui-profile.ts";
export { RUN_REFUSALS } from "./ag-ui/run-refusals.ts";
export {
  HeaderFieldsSchema,
  PLATFORM_HEADERS,
  SecretHeadersSchema,
} from "./schemas/header-fields.ts";
export {
  isSecretHeader,
  REDACTED,
  refineHeaderFields,
  refineToolHeaders,
} from "./secret-headers.ts";
export * from "./tenants/tenants.ts";
export * from "./tenants/end-user-share.ts";
export * from "./tenants/quotas.ts";
export * from "./files.ts";
export * from "./hooks/hooks.ts";
export { FilePageSchema } from "./answers/file-responses.ts";
export {
  AgentCreateSchema,
  AgentUpdateSchema,
  AgentVersionUpdateSchema,
  AgentWriteQuerySchema,
  CodeToolSchema,
  ExternalToolSchema,
  HttpToolSchema,
  namesOfTools,
  ToolNameSchema,
  ToolSchema,
} from "./agents.ts";
export {
  areNamesUnique,
  mayBeOfServer,
  mayHaveTool,
  NamedToolSchema,
  RESERVED_TOOL_NAMES,
  ToolsSchema,
  WaitingSecondsSchema,
} from "./tools/tools.ts";
export * from "./plans/plans.ts";
export * from "./skills/skills.ts";
export * from "./skills/skill-files.ts";
export * from "./answers/skill-responses.ts";
export * from "./tools/tool-groups.ts";
export * from "./known-models.ts";
export * from "./models.ts";
export * from "./schemas/money.ts";
export type {
  Agent,
  AgentDefinition,
  AgentUpdate,
  AgentVersion,
  ExternalTool,
  HttpTool,
  ToolDefinition,
} from "./agents.ts";
export {
  SessionCreateSchema,
  SessionListQuerySchema,
  SessionStatusSchema,
  SessionUpdateSchema,
} from "./sessions.ts";
export type {
  AgentVersionChoice,
  Session,
  SessionCreate,
  SessionListQuery,
  SessionStatus,
  SessionSummary,
  SessionUpdate,
} from "./sessions.ts";
export { AgentVersionChoiceSchema } from "./schemas/agent-version-choice.ts";
export {
  SessionPermissionSchema,
  SessionPermissionUpdateSchema,
  TimeZoneSchema,
  WorkingDirectoriesSchema,
} from "./session-settings.ts";
export {
  AgentStateInputSchema,
  AgentStateSchema,
  PermissionContextSchema,
  ReplyContextSchema,
  StateMessageSchema,
  ToolContextSchema,
} from "./session-state.ts";
export type { AgentState, AgentStateInput, PermissionContext } from "./session-state.ts";
export {
  JsonPatchSchema,
  MoveOperationSchema,
  PatchOperationSchema,
  RemoveOperationSchema,
  SharedStateSchema,
  SharedStateSettingsSchema,
  ValueOperationSchema,
} from "./shared-state.ts";
export type { JsonPatch, SharedState } from "./shared-state.ts";
export * from "./context.ts";
export * from "./compression.ts";
export { ForkCreateSchema } from "./fork.ts";
export type { ForkCreate, ForkedFrom } from "./fork.ts";
export { ObserveSchema } from "./observe.ts";
export type { Observe, Observed } from "./observe.ts";
export { ForkedFromSchema, ObservedSchema } from "./answers/responses-conversation.ts";
export { findSchemaProblem } from "./schemas/find-schema-problem.ts";
export { refineToolSchemas } from "./schemas/refine-tool-schemas.ts";
export { StructuredSchemaSchema } from "./schemas/structured-schema.ts";
export * from "./replies.ts";
export * from "./answers/tenant-decisions.ts";
export * from "./operator/operator-health.ts";
export * from "./permission-simulation.ts";
export * from "./agent-check.ts";
export * from "./answers/replays.ts";
export * from "./answers/tool-calls.ts";
export * from "./schemas/model-options.ts";
export * from "./schemas/on-interrupt.ts";
export * from "./schemas/reply-end.ts";
export * from "./diagnostics.ts";
export * from "./tenants/credentials.ts";
export * from "./tenants/usage.ts";
export { EventFormatSchema } from "./schemas/event-format.ts";
export { JavaEventPageSchema, JavaEventSchema } from "./answers/java-event-page.ts";
export type { EventFormat } from "./schemas/event-format.ts";
export {
  AnsweredCallSchema,
  EventsQuerySchema,
  INPUT_EVENT_RIGHTS,
  PostedConfirmationSchema,
  PostedConfirmResultSchema,
  PostedEventSchema,
  PostedExecutionSchema,
  PostedInterruptSchema,
  PostedResultSchema,
  PostEventQuerySchema,
} from "./events.ts";
export type { EventReceipt, EventsQuery, PostedEvent, PostedEventInput } from "./events.ts";
export * from "./confirmations.ts";
export {
  AcceptedAnswerSchema,
  AddedRulesSchema,
  ConfirmationOutcomeSchema,
  ConfirmationOutcomesSchema,
  ConfirmationPageSchema,
  ConfirmationSchema,
  DecisionPageSchema,
  DecisionSchema,
  EventReceiptSchema,
  RefusedAnswerSchema,
  SessionRulePageSchema,
  SessionRuleSchema,
  TenantDecisionPageSchema,
  TenantDecisionSchema,
} from "./answers/responses-people.ts";
export * from "./answers/simulation-responses.ts";
export * from "./schemas/rule-test-result.ts";
export type { PeopleAnswersAgree } from "./answers/responses-people.ts";
export {
  AgentPageSchema,
  AgentDefinitionSchema,
  AgentSchema,
  AgentVersionPageSchema,
  AgentVersionSchema,
  ApiKeyPageSchema,
  AuditPageSchema,
  CredentialPageSchema,
  ErasingTenantSchema,
  EventPageSchema,
  FieldErrorSchema,
  HealthSchema,
  InterruptResultSchema,
  KnownModelPageSchema,
  MessagePageSchema,
  AuthorizationRequiredSchema,
  PendingCallSchema,
  ProblemSchema,
  ReadMessageSchema,
  ReplyPageSchema,
  ReplySchema,
  ReplyStatusSchema,
  ReplyTaskSchema,
  SessionPageSchema,
  SessionSchema,
  SessionSummarySchema,
  TenantPageSchema,
  UsagePageSchema,
  pageOf,
} from "./answers/responses.ts";
export type { AnswersAgree } from "./answers/responses.ts";
export * from "./permission-rules.ts";
export {
  ClientTokenCreateSchema,
  ClientTokenSchema,
  LiveTokenSchema,
  MintedTokenSchema,
  OriginSchema,
  VERB_SCOPES,
  VerbSchema,
} from "./client-tokens.ts";
export {
  findAddressProblem,
  findBlockProblem,
  findMediaTypeProblem,
  MediaAddressSchema,
  MediaBlockSchema,
  MediaUrlSourceSchema,
  TextOrMediaBlockSchema,
} from "./schemas/media-blocks.ts";
export { StreamTicketCreateSchema, StreamTicketSchema } from "./stream-tickets.ts";
export type { StreamTicket, StreamTicketCreate } from "./stream-tickets.ts";
export { CallbackAnswerSchema } from "./callbacks.ts";
export type { AnswerReceipt, Callback, CallbackAnswer } from "./callbacks.ts";
export * from "./inbound-endpoints.ts";
export * from "./token-issuers/token-issuers.ts";
export * from "./answers/responses-inbound.ts";
export * from "./answers/responses-mcp.ts";
export * from "./answers/responses-elicitation.ts";
export * from "./answers/responses-agent-mcp.ts";
export * from "./mcp/mcp-servers.ts";
export * from "./mcp/mcp-tool.ts";
export * from "./mcp/mcp-ui.ts";
export * from "./mcp/mcp-oauth.ts";
export * from "./mcp/connections.ts";
export type {
  ClientToken,
  ClientTokenCreate,
  ClientTokenRecord,
  LiveToken,
  Verb,
} from "./client-tokens.ts";
export * from "./webhooks/webhook-endpoints.ts";
export * from "./webhooks/webhook-deliveries.ts";
export * from "./answers/webhook-responses.ts";
export * from "./operator/readiness.ts";
