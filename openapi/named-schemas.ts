// Which schemas have a name in the document. What is named is written once and referred to; the same schema has a
// second name for requests where it takes less there than it gives back.
import type { z } from "zod";

import {
  Base64SourceSchema,
  ContentBlockSchema,
  DataBlockSchema,
  HintBlockSchema,
  TextBlockSchema,
  TextOrDataBlockSchema,
  ThinkingBlockSchema,
  ToolCallBlockSchema,
  ToolResultBlockSchema,
  UrlSourceSchema,
} from "../protocol/messages/blocks.ts";
import { AgentEventSchema, ConfirmResultSchema } from "../protocol/events.ts";
import { ErrorInfoSchema, MsgSchema, UsageSchema } from "../protocol/messages/messages.ts";
import { PermissionModeSchema, PermissionRuleSchema } from "../protocol/messages/permission.ts";
import * as agUi from "../protocol/api/ag-ui/ag-ui.ts";
import { MediaBlockSchema, MediaUrlSourceSchema } from "../protocol/api/schemas/media-blocks.ts";
import { AgUiCapabilitiesSchema } from "../protocol/api/ag-ui/ag-ui-capabilities.ts";
import { AgUiEventSchema } from "../protocol/api/ag-ui/ag-ui-event.ts";
import { CallbackAnswerSchema } from "../protocol/api/callbacks.ts";
import * as tokens from "../protocol/api/client-tokens.ts";
import { MetadataSchema, TimestampSchema } from "../protocol/api/schemas/common.ts";
import { ConfirmationsAnswerSchema } from "../protocol/api/confirmations.ts";
import * as events from "../protocol/api/events.ts";
import { JavaEventPageSchema, JavaEventSchema } from "../protocol/api/answers/java-event-page.ts";
import { ObserveSchema } from "../protocol/api/observe.ts";
import {
  RuleInputSchema,
  RulesCreateSchema,
  RuleTestSchema,
} from "../protocol/api/permission-rules.ts";
import { InputMessageSchema, ReplyCreateSchema } from "../protocol/api/replies.ts";
import * as inboundEndpoints from "../protocol/api/inbound-endpoints.ts";
import * as inbound from "../protocol/api/answers/responses-inbound.ts";
import * as conversation from "../protocol/api/answers/responses-conversation.ts";
import * as people from "../protocol/api/answers/responses-people.ts";
import * as responses from "../protocol/api/answers/responses.ts";
import { StateMessageSchema } from "../protocol/api/session-state.ts";
import { StreamTicketCreateSchema, StreamTicketSchema } from "../protocol/api/stream-tickets.ts";
import * as deliveries from "../protocol/api/webhooks/webhook-deliveries.ts";
import * as endpoints from "../protocol/api/webhooks/webhook-endpoints.ts";
import * as webhookPages from "../protocol/api/answers/webhook-responses.ts";
import { WebhookCallSchema, WebhookEventSchema } from "../protocol/api/webhooks/webhook-events.ts";

export const ANSWER_SCHEMAS = {
  Problem: responses.ProblemSchema,
  FieldError: responses.FieldErrorSchema,
  Metadata: MetadataSchema,
  Timestamp: TimestampSchema,
  PermissionMode: PermissionModeSchema,
  PermissionRule: PermissionRuleSchema,

  PendingCall: responses.PendingCallSchema,
  Reply: responses.ReplySchema,
  ReplyPage: responses.ReplyPageSchema,
  ReplyStatus: responses.ReplyStatusSchema,
  InterruptResult: responses.InterruptResultSchema,

  Msg: MsgSchema,
  FoldedMsg: responses.ReadMessageSchema,
  MsgPage: responses.MessagePageSchema,
  Usage: UsageSchema,
  ErrorInfo: ErrorInfoSchema,
  ContentBlock: ContentBlockSchema,
  TextBlock: TextBlockSchema,
  ThinkingBlock: ThinkingBlockSchema,
  DataBlock: DataBlockSchema,
  TextOrDataBlock: TextOrDataBlockSchema,
  HintBlock: HintBlockSchema,
  ToolCallBlock: ToolCallBlockSchema,
  ToolResultBlock: ToolResultBlockSchema,
  Base64Source: Base64SourceSchema,
  UrlSource: UrlSourceSchema,

  EventPage: responses.EventPageSchema,
  LoggedEvent: AgentEventSchema,
  JavaEvent: JavaEventSchema,
  JavaEventPage: JavaEventPageSchema,
  AgUiCapabilities: AgUiCapabilitiesSchema,
  AgUiEvent: AgUiEventSchema,
  ConfirmResult: ConfirmResultSchema,

  Observed: conversation.ObservedSchema,
  EventReceipt: people.EventReceiptSchema,
  SessionRule: people.SessionRuleSchema,
  SessionRulePage: people.SessionRulePageSchema,
  AddedRules: people.AddedRulesSchema,
  RuleTestResult: people.RuleTestResultSchema,
  Decision: people.DecisionSchema,
  DecisionPage: people.DecisionPageSchema,
  Confirmation: people.ConfirmationSchema,
  ConfirmationPage: people.ConfirmationPageSchema,
  ConfirmationOutcome: people.ConfirmationOutcomeSchema,
  ConfirmationOutcomes: people.ConfirmationOutcomesSchema,
  AcceptedAnswer: people.AcceptedAnswerSchema,
  RefusedAnswer: people.RefusedAnswerSchema,

  Verb: tokens.VerbSchema,
  ClientToken: tokens.ClientTokenSchema,
  StreamTicket: StreamTicketSchema,
  MintedToken: tokens.MintedTokenSchema,
  LiveToken: tokens.LiveTokenSchema,
  LiveTokenPage: inbound.LiveTokenPageSchema,
  Callback: inbound.CallbackSchema,
  AnswerReceipt: inbound.AnswerReceiptSchema,
  InboundEndpoint: inboundEndpoints.InboundEndpointSchema,
  CreatedInboundEndpoint: inboundEndpoints.CreatedInboundEndpointSchema,
  InboundEndpointPage: inbound.InboundEndpointPageSchema,

  WebhookEndpoint: endpoints.WebhookEndpointSchema,
  CreatedWebhookEndpoint: endpoints.CreatedWebhookEndpointSchema,
  WebhookEndpointPage: webhookPages.WebhookEndpointPageSchema,
  WebhookFilter: endpoints.WebhookFilterSchema,
  CallbackVerb: endpoints.CallbackVerbSchema,
  WebhookDelivery: deliveries.WebhookDeliverySchema,
  ReadWebhookDelivery: deliveries.ReadWebhookDeliverySchema,
  WebhookDeliveryPage: webhookPages.WebhookDeliveryPageSchema,
  WebhookAttempt: deliveries.WebhookAttemptSchema,
  WebhookEvent: WebhookEventSchema,
  WebhookCall: WebhookCallSchema,
} as const satisfies Readonly<Record<string, z.ZodType>>;

/** A name that stands in both tables has to mean the same in both. */
export const REQUEST_SCHEMAS = {
  ReplyCreate: ReplyCreateSchema,
  Observe: ObserveSchema,
  RunAgentInput: agUi.RunAgentInputSchema,
  AgUiMessage: agUi.AgUiMessageSchema,
  AgUiPart: agUi.AgUiPartSchema,
  AgUiSource: agUi.AgUiSourceSchema,
  AgUiTool: agUi.AgUiToolSchema,
  AgUiContext: agUi.AgUiContextSchema,
  AgUiResume: agUi.AgUiResumeSchema,
  MsgInput: StateMessageSchema,
  PostedEvent: events.PostedEventSchema,
  PermissionRulesCreate: RulesCreateSchema,
  PermissionRuleTest: RuleTestSchema,
  ConfirmationsAnswer: ConfirmationsAnswerSchema,
  ClientTokenCreate: tokens.ClientTokenCreateSchema,
  StreamTicketCreate: StreamTicketCreateSchema,
  CallbackAnswer: CallbackAnswerSchema,
  InboundEndpointCreate: inboundEndpoints.InboundEndpointCreateSchema,
  InboundSecretRotate: inboundEndpoints.InboundSecretRotateSchema,
  InboundMessage: inboundEndpoints.InboundMessageSchema,

  UserConfirmResultEventInput: events.PostedConfirmationSchema,
  ExternalExecutionResultEventInput: events.PostedExecutionSchema,
  UserInterruptEventInput: events.PostedInterruptSchema,
  ConfirmResultInput: events.PostedConfirmResultSchema,
  ToolCallBlockInput: events.AnsweredCallSchema,
  ToolResultBlockInput: events.PostedResultSchema,
  PermissionRuleInput: RuleInputSchema,
  PermissionRule: PermissionRuleSchema,
  InputMessage: InputMessageSchema,
  TextBlockInput: TextBlockSchema,
  DataBlockInput: DataBlockSchema,
  MediaBlockInput: MediaBlockSchema,
  MediaUrlSource: MediaUrlSourceSchema,

  WebhookEndpointCreate: endpoints.WebhookEndpointCreateSchema,
  WebhookEndpointUpdate: endpoints.WebhookEndpointUpdateSchema,
  WebhookSecretRotate: endpoints.WebhookSecretRotateSchema,
  WebhookFilter: endpoints.WebhookFilterSchema,
  CallbackVerb: endpoints.CallbackVerbSchema,

  Metadata: MetadataSchema,
  Timestamp: TimestampSchema,
  PermissionMode: PermissionModeSchema,
  Base64Source: Base64SourceSchema,
  UrlSource: UrlSourceSchema,
} as const satisfies Readonly<Record<string, z.ZodType>>;
