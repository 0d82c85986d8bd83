// Routes on tasks of A2A and on their push notification configs, for the binding HTTP+JSON.
import {
  A2aConfigsQuerySchema,
  A2aStatusSchema,
  A2aListQuerySchema,
  A2aShownConfigsSchema,
  A2aShownConfigSchema,
  A2aStreamAnswerSchema,
  A2aTaskListSchema,
  A2aHistoryQuerySchema,
  A2aShownTaskSchema,
} from "./contract.ts";
import { A2A_MEDIA_TYPE } from "./headers.ts";
import type { DocumentedRoute } from "../requests/contract.ts";

export const A2A_BASE = "/v1/agents/{agent_id}/a2a";
const TASK = `${A2A_BASE}/tasks/{a2a_task_id}`;
const CONFIGS = `${TASK}/pushNotificationConfigs`;

export const A2A_STREAM = {
  id: "A2aStream",
  description: "Frames of a task: the task as it is, then what changes.",
  event: A2aStreamAnswerSchema,
  example: "a2aStream",
} as const;

/** Errors of the protocol's own form, beside those of the platform with the same status. */
export const A2A_REFUSED = {
  400: {
    description: "Not as A2A 1.0 has it.",
    json: A2aStatusSchema,
    media_type: A2A_MEDIA_TYPE,
  },
} as const;
export const A2A_UNKNOWN = {
  404: { description: "No such task.", json: A2aStatusSchema, media_type: A2A_MEDIA_TYPE },
} as const;

export const A2A_READ_HEADERS = ["A2A-Version"] as const;
const STREAM_HEADERS = ["A2A-Version", "Last-Event-ID"] as const;

export const A2A_TASK_ROUTES = [
  {
    name: "listA2aTasks",
    method: "GET",
    path: `${A2A_BASE}/tasks`,
    access: "sessions:read",
    verb: "read",
    finds_session: true,
    takes_issued_tokens: true,
    body: "none",
    tag: "A2A",
    summary: "List tasks of A2A",
    description:
      "The newest status first. Tasks that A2A has begun: of one context, or of all of them for 30 days from their beginning.",
    query: A2aListQuerySchema,
    headers: A2A_READ_HEADERS,
    answers: {
      200: {
        description: "A page of tasks.",
        json: A2aTaskListSchema,
        media_type: A2A_MEDIA_TYPE,
        examples: ["a2aTasks"],
      },
      ...A2A_REFUSED,
    },
  },

  // Before the task alone, whose id could be any text.
  {
    name: "followA2aTask",
    method: "GET",
    path: `${TASK}:subscribe`,
    access: "sessions:read",
    verb: "read",
    finds_session: true,
    takes_issued_tokens: true,
    body: "none",
    tag: "A2A",
    summary: "Stream a task of A2A, as its proto has it",
    description: "The same as the POST: the specification's text has that one, and its proto this.",
    headers: STREAM_HEADERS,
    answers: {
      200: { description: "The stream.", stream: A2A_STREAM },
      ...A2A_REFUSED,
      ...A2A_UNKNOWN,
    },
  },

  {
    name: "readA2aTask",
    method: "GET",
    path: TASK,
    access: "sessions:read",
    verb: "read",
    finds_session: true,
    takes_issued_tokens: true,
    body: "none",
    tag: "A2A",
    summary: "Get a task of A2A",
    description: "The task with its artifacts and as much of its history as is asked for.",
    query: A2aHistoryQuerySchema,
    headers: A2A_READ_HEADERS,
    answers: {
      200: {
        description: "The task.",
        json: A2aShownTaskSchema,
        media_type: A2A_MEDIA_TYPE,
        examples: ["a2aTask"],
      },
      ...A2A_REFUSED,
      ...A2A_UNKNOWN,
    },
  },

  {
    name: "cancelA2aTask",
    method: "POST",
    path: `${TASK}:cancel`,
    access: "replies:write",
    verb: "interrupt",
    finds_session: true,
    takes_issued_tokens: true,
    body: "none",
    tag: "A2A",
    summary: "Cancel a task of A2A",
    description:
      "Interrupts the reply. A task that was cancelled is given again; one that has ended otherwise cannot be cancelled.",
    headers: A2A_READ_HEADERS,
    answers: {
      200: {
        description: "The task.",
        json: A2aShownTaskSchema,
        media_type: A2A_MEDIA_TYPE,
        examples: ["a2aTask"],
      },
      ...A2A_REFUSED,
      ...A2A_UNKNOWN,
    },
  },

  {
    name: "subscribeA2aTask",
    method: "POST",
    path: `${TASK}:subscribe`,
    access: "sessions:read",
    verb: "read",
    finds_session: true,
    takes_issued_tokens: true,
    body: "none",
    tag: "A2A",
    summary: "Stream a task of A2A",
    description:
      "The task as it is, then what changes. With `Last-Event-ID` what followed that frame, also of a task that has ended.",
    headers: STREAM_HEADERS,
    answers: {
      200: { description: "The stream.", stream: A2A_STREAM },
      ...A2A_REFUSED,
      ...A2A_UNKNOWN,
    },
  },

  {
    name: "createA2aPushConfig",
    method: "POST",
    path: CONFIGS,
    access: "replies:write",
    verb: "reply",
    finds_session: true,
    takes_issued_tokens: true,
    body: "json",
    tag: "A2A",
    summary: "Have a task's changes sent to an address",
    description:
      "Changes of the task's status and its finished artifacts are sent. 10 configs a task; one with an id that is there replaces it. Needs the right to read, too.",
    headers: A2A_READ_HEADERS,
    request: { json: A2aShownConfigSchema, examples: ["a2aPushConfig"] },
    answers: {
      200: {
        description: "The config, without its secrets.",
        json: A2aShownConfigSchema,
        media_type: A2A_MEDIA_TYPE,
        examples: ["a2aStoredPushConfig"],
      },
      ...A2A_REFUSED,
      ...A2A_UNKNOWN,
    },
  },

  {
    name: "listA2aPushConfigs",
    method: "GET",
    path: CONFIGS,
    access: "sessions:read",
    verb: "read",
    finds_session: true,
    takes_issued_tokens: true,
    body: "none",
    tag: "A2A",
    summary: "List a task's push notification configs",
    description: "All of them, without their secrets.",
    query: A2aConfigsQuerySchema,
    headers: A2A_READ_HEADERS,
    answers: {
      200: {
        description: "The configs.",
        json: A2aShownConfigsSchema,
        media_type: A2A_MEDIA_TYPE,
        examples: ["a2aPushConfigs"],
      },
      ...A2A_REFUSED,
      ...A2A_UNKNOWN,
    },
  },

  {
    name: "readA2aPushConfig",
    method: "GET",
    path: `${CONFIGS}/{a2a_config_id}`,
    access: "sessions:read",
    verb: "read",
    finds_session: true,
    takes_issued_tokens: true,
    body: "none",
    tag: "A2A",
    summary: "Get a push notification config",
    description: "Without its secrets.",
    headers: A2A_READ_HEADERS,
    answers: {
      200: {
        description: "The config.",
        json: A2aShownConfigSchema,
        media_type: A2A_MEDIA_TYPE,
        examples: ["a2aStoredPushConfig"],
      },
      ...A2A_REFUSED,
      ...A2A_UNKNOWN,
    },
  },

  {
    name: "deleteA2aPushConfig",
    method: "DELETE",
    path: `${CONFIGS}/{a2a_config_id}`,
    access: "replies:write",
    verb: "reply",
    finds_session: true,
    takes_issued_tokens: true,
    body: "none",
    tag: "A2A",
    summary: "Delete a push notification config",
    description: "Nothing more is sent there. One that is gone already is no error.",
    headers: A2A_READ_HEADERS,
    answers: { 204: { description: "It is gone." }, ...A2A_REFUSED, ...A2A_UNKNOWN },
  },
] as const satisfies readonly DocumentedRoute[];
