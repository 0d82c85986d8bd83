// Which schemas have a name in the document. What is named is written once and referred to; the same schema has a
// second name for requests where it takes less there than it gives back.
import type { z } from "zod";

import { PermissionModeSchema, PermissionRuleSchema } from "../protocol/messages/permission.ts";
import { CallbackAnswerSchema } from "../protocol/api/callbacks.ts";
import * as tokens from "../protocol/api/client-tokens.ts";
import { ConfirmationsAnswerSchema } from "../protocol/api/confirmations.ts";
import {
  RuleInputSchema,
  RulesCreateSchema,
  RuleTestSchema,
} from "../protocol/api/permission-rules.ts";
import * as inboundEndpoints from "../protocol/api/inbound-endpoints.ts";
import * as inbound from "../protocol/api/answers/responses-inbound.ts";
import * as people from "../protocol/api/answers/responses-people.ts";
import { StreamTicketCreateSchema, StreamTicketSchema } from "../protocol/api/stream-tickets.ts";
import * as deliveries from "../protocol/api/webhooks/webhook-deliveries.ts";
import * as endpoints from "../protocol/api/webhooks/webhook-endpoints.ts";
import * as webhookPages from "../protocol/api/answers/webhook-responses.ts";
import { WebhookCallSchema, WebhookEventSchema } from "../protocol/api/webhooks/webhook-events.ts";

export const ANSWER_SCHEMAS = {
  PermissionMode: PermissionModeSchema,
  PermissionRule: PermissionRuleSchema,

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
  PermissionRulesCreate: RulesCreateSchema,
  PermissionRuleTest: RuleTestSchema,
  ConfirmationsAnswer: ConfirmationsAnswerSchema,
  ClientTokenCreate: tokens.ClientTokenCreateSchema,
  StreamTicketCreate: StreamTicketCreateSchema,
  CallbackAnswer: CallbackAnswerSchema,
  InboundEndpointCreate: inboundEndpoints.InboundEndpointCreateSchema,
  InboundSecretRotate: inboundEndpoints.InboundSecretRotateSchema,
  InboundMessage: inboundEndpoints.InboundMessageSchema,

  PermissionRuleInput: RuleInputSchema,
  PermissionRule: PermissionRuleSchema,
  WebhookEndpointCreate: endpoints.WebhookEndpointCreateSchema,
  WebhookEndpointUpdate: endpoints.WebhookEndpointUpdateSchema,
  WebhookSecretRotate: endpoints.WebhookSecretRotateSchema,
  WebhookFilter: endpoints.WebhookFilterSchema,
  CallbackVerb: endpoints.CallbackVerbSchema,

  PermissionMode: PermissionModeSchema,
} as const satisfies Readonly<Record<string, z.ZodType>>;
