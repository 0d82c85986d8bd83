// Routes on triggers and their runs.
import type { Contract, DocumentedRoute } from "../requests/contract.ts";
import {
  CreatedTriggerSchema,
  TriggerCreateSchema,
  TriggerListQuerySchema,
  TriggerPageSchema,
  TriggerRunCreateSchema,
  TriggerRunPageSchema,
  TriggerRunQuerySchema,
  TriggerRunSchema,
  TriggerSchema,
  TriggerSecretRotateSchema,
  TriggerUpdateSchema,
} from "./contract.ts";
import {
  HOOKED_TRIGGER,
  NEW_HOOKED_TRIGGER,
  NEW_ROOM_TRIGGER,
  NEW_TRIGGER,
  PAUSED_TRIGGER,
  PENDING_RUN,
  TRIGGER,
  TRIGGER_RUN,
} from "./examples.ts";
import { TRIGGER_RECEIPT_EXAMPLE, TRIGGER_WEBHOOK_ROUTES } from "./webhook-routes.ts";
import { TRIGGER_WORDS } from "./words.ts";

const TRIGGERS = "/v1/triggers";
const TRIGGER_PATH = `${TRIGGERS}/{trigger_id}` as const;

const TRIGGER_ROUTES = [
  {
    name: "createTrigger",
    method: "POST",
    path: TRIGGERS,
    access: "triggers:write",
    keeps_keys: "database",
    body: "json",
    tag: "Triggers",
    summary: "Create a trigger",
    description: [
      "A schedule, the webhook of another system, or neither: a trigger always runs by hand, too. Of one with a webhook the",
      "answer has the secret, this once. An agent answers, or a room, in which it speaks as the room itself.",
    ].join(" "),
    request: {
      json: TriggerCreateSchema,
      examples: ["newTrigger", "newHookedTrigger", "newRoomTrigger"],
    },
    answers: {
      201: {
        description: "The trigger; of one with a webhook with its secret this once.",
        json: CreatedTriggerSchema,
        replayed: TriggerSchema,
        headers: ["Location"],
        examples: ["trigger", "hookedTrigger"],
      },
    },
    errors: ["not_found", "conflict", "quota_exceeded"],
  },
  {
    name: "listTriggers",
    method: "GET",
    path: TRIGGERS,
    access: "triggers:read",
    body: "none",
    tag: "Triggers",
    summary: "List triggers",
    description: "Newest first; those of one agent or room, or in one state, with a filter.",
    query: TriggerListQuerySchema,
    queryDescriptions: {
      agent_id: "Triggers of this agent.",
      room_id: "Triggers of this room.",
      status: "Triggers in this state.",
    },
    answers: { 200: { description: "A page of triggers.", json: TriggerPageSchema } },
  },
  {
    name: "readTrigger",
    method: "GET",
    path: TRIGGER_PATH,
    access: "triggers:read",
    body: "none",
    tag: "Triggers",
    summary: "Get a trigger",
    description: "With its next times, and what its runs have come to.",
    answers: {
      200: { description: "The trigger.", json: TriggerSchema, examples: ["trigger"] },
    },
  },
  {
    name: "updateTrigger",
    method: "PATCH",
    path: TRIGGER_PATH,
    access: "triggers:write",
    body: "json",
    tag: "Triggers",
    summary: "Change a trigger",
    description:
      "What is left out stays. Runs that are made already keep their input. A new schedule begins now: times before it are not due.",
    request: { json: TriggerUpdateSchema, examples: ["changedTrigger"] },
    answers: { 200: { description: "The trigger after it.", json: TriggerSchema } },
    errors: ["conflict", "quota_exceeded"],
  },
  {
    name: "deleteTrigger",
    method: "DELETE",
    path: TRIGGER_PATH,
    access: "triggers:write",
    body: "none",
    tag: "Triggers",
    summary: "Delete a trigger",
    description: "With its runs. Their sessions stay, and so do replies that have begun.",
    answers: { 204: { description: "The trigger is gone." } },
  },
  {
    name: "pauseTrigger",
    method: "POST",
    path: `${TRIGGER_PATH}/pause`,
    access: "triggers:write",
    keeps_keys: "database",
    body: "none",
    tag: "Triggers",
    summary: "Pause a trigger",
    description:
      "Nothing is due any more, and webhooks are refused. Runs that are made go on; by hand it still runs.",
    answers: {
      200: { description: "The trigger.", json: TriggerSchema, examples: ["pausedTrigger"] },
    },
  },
  {
    name: "unpauseTrigger",
    method: "POST",
    path: `${TRIGGER_PATH}/unpause`,
    access: "triggers:write",
    keeps_keys: "database",
    body: "none",
    tag: "Triggers",
    summary: "Unpause a trigger",
    description: [
      "From now on it is due again; times that have passed in the pause are neither made up for nor counted. One that is",
      "completed first needs a schedule with a time to come.",
    ].join(" "),
    answers: { 200: { description: "The trigger.", json: TriggerSchema } },
    errors: ["conflict"],
  },
  {
    name: "rotateTriggerSecret",
    method: "POST",
    path: `${TRIGGER_PATH}/rotate-secret`,
    access: "triggers:write",
    keeps_keys: "database",
    body: "small",
    tag: "Triggers",
    summary: "Rotate the secret of a trigger's webhook",
    description:
      "The old secret stays valid for the overlap. Rotating again ends the overlap of the rotation before.",
    request: { json: TriggerSecretRotateSchema, examples: ["rotation"] },
    answers: {
      200: {
        description: "The trigger, with its new secret this once.",
        json: CreatedTriggerSchema,
        replayed: TriggerSchema,
      },
    },
    errors: ["conflict"],
  },
  {
    name: "createTriggerRun",
    method: "POST",
    path: `${TRIGGER_PATH}/runs`,
    access: "triggers:write",
    keeps_keys: "database",
    body: "json",
    tag: "Triggers",
    summary: "Run a trigger by hand",
    description: "Also while it is paused or completed. `overlap` is about these runs, too.",
    request: { json: TriggerRunCreateSchema, examples: ["newTriggerRun"] },
    answers: {
      202: {
        description: "The run, which goes on by itself.",
        json: TriggerRunSchema,
        headers: ["Location"],
        examples: ["pendingTriggerRun"],
      },
    },
    errors: ["quota_exceeded"],
  },
  {
    name: "listTriggerRuns",
    method: "GET",
    path: `${TRIGGER_PATH}/runs`,
    access: "triggers:read",
    body: "none",
    tag: "Triggers",
    summary: "List runs of a trigger",
    description: "Newest first; kept for 30 days.",
    query: TriggerRunQuerySchema,
    queryDescriptions: { status: "Runs in this state." },
    answers: { 200: { description: "A page of runs.", json: TriggerRunPageSchema } },
  },
  {
    name: "readTriggerRun",
    method: "GET",
    path: `${TRIGGER_PATH}/runs/{trigger_run_id}`,
    access: "triggers:read",
    body: "none",
    tag: "Triggers",
    summary: "Get a run of a trigger",
    description: "With its session and its reply, or its message in the room, once they are there.",
    answers: {
      200: { description: "The run.", json: TriggerRunSchema, examples: ["triggerRun"] },
    },
  },
] as const satisfies readonly DocumentedRoute[];

export const TRIGGER_CONTRACT = {
  tags: {
    Triggers: "What begins replies by a schedule, by webhooks of other systems, or by hand.",
  },
  routes: [...TRIGGER_ROUTES, ...TRIGGER_WEBHOOK_ROUTES],
  pathParameters: {
    trigger_id: { form: "trg", description: "The trigger." },
    trigger_token: { form: "token", description: "The signed part of the address." },
    trigger_run_id: { form: "trun", description: "The run of a trigger." },
  },
  fields: TRIGGER_WORDS,
  examples: {
    newTrigger: { summary: "Every working day at eight", value: NEW_TRIGGER },
    newRoomTrigger: { summary: "A round of a room, every Monday", value: NEW_ROOM_TRIGGER },
    newHookedTrigger: { summary: "By issues on GitHub", value: NEW_HOOKED_TRIGGER },
    trigger: { summary: "Every working day at eight", value: TRIGGER },
    hookedTrigger: { summary: "By issues on GitHub, with its secret", value: HOOKED_TRIGGER },
    pausedTrigger: { summary: "Paused by a request", value: PAUSED_TRIGGER },
    changedTrigger: {
      summary: "An hour later",
      value: {
        schedule: { type: "cron", expression: "0 9 * * 1-5", timezone: "Europe/Berlin" },
      },
    },
    newTriggerRun: { summary: "By hand", value: {} },
    pendingTriggerRun: { summary: "It is about to begin", value: PENDING_RUN },
    triggerReceipt: { summary: "The run of this delivery", value: TRIGGER_RECEIPT_EXAMPLE },
    triggerRun: { summary: "The reply has ended", value: TRIGGER_RUN },
  },
} as const satisfies Contract;
