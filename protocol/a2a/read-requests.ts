// Requests of A2A 1.0 as clients send them (ProtoJSON): a member that is null is one that is left out, and members that are
// not known are ignored. A query has the same members as texts.
import * as z from "zod";

import {
  DEFAULT_A2A_PAGE_SIZE,
  MAX_A2A_EXTENSIONS,
  MAX_A2A_ID_CHARACTERS,
  MAX_A2A_MESSAGE_ID_CHARACTERS,
  MAX_A2A_PAGE_SIZE,
  MAX_A2A_PARTS,
  MAX_A2A_TAG_CHARACTERS,
  MAX_A2A_URL_CHARACTERS,
} from "./limits.ts";
import type { A2aTaskState } from "./wire.ts";

/** States of ProtoJSON by number; a list may also ask for none with the first one. */
const STATES = [
  "TASK_STATE_UNSPECIFIED",
  "TASK_STATE_SUBMITTED",
  "TASK_STATE_WORKING",
  "TASK_STATE_COMPLETED",
  "TASK_STATE_FAILED",
  "TASK_STATE_CANCELED",
  "TASK_STATE_INPUT_REQUIRED",
  "TASK_STATE_REJECTED",
  "TASK_STATE_AUTH_REQUIRED",
] as const satisfies readonly (A2aTaskState | "TASK_STATE_UNSPECIFIED")[];

/** A lone surrogate has no UTF-8: different names would have the same bytes. */
const unicode = (text: string) => !/\p{Surrogate}/u.test(text);

function idText(mostCharacters: number) {
  return z.string().min(1, "is empty").max(mostCharacters).refine(unicode, "is not valid Unicode");
}

const IdSchema = idText(MAX_A2A_ID_CHARACTERS);

/** Any text may be asked for as a task: one that is no id is a task that is not there. */
const TaskIdSchema = z.string().min(1, "is empty").max(MAX_A2A_URL_CHARACTERS);

/** An id that may be left out: null and the empty text are ProtoJSON's ways to say so. */
const OptionalIdSchema = z
  .string()
  .max(MAX_A2A_ID_CHARACTERS)
  .refine(unicode, "is not valid Unicode")
  .nullish()
  .transform((id) => id || undefined);

const OptionalTextSchema = z
  .string()
  .max(MAX_A2A_URL_CHARACTERS)
  .nullish()
  .transform((text) => text || undefined);

/** Our cards name no tenant, so there is none to name here. */
const tenant = z
  .string()
  .nullish()
  .refine((name) => !name, "this server has no tenants: leave it out, as the card does");

/** ProtoJSON has whole numbers also as text. */
function wholeNumber(least: number, most: number) {
  return z
    .union([z.number(), z.string().regex(/^-?\d{1,10}$/, "is no whole number")])
    .transform(Number)
    .pipe(z.int().min(least).max(most));
}

/** An int32. */
const MAX_INT = 2_147_483_647;
const HistoryLengthSchema = wholeNumber(0, MAX_INT)
  .nullish()
  .transform((length) => length ?? undefined);

const FlagSchema = z
  .union([z.boolean(), z.enum(["true", "false"])])
  .nullish()
  .transform((flag) => flag === true || flag === "true");

const MetadataSchema = z.record(z.string(), z.unknown()).nullish();

const ExtensionsSchema = z
  .array(z.string().max(MAX_A2A_URL_CHARACTERS))
  .max(MAX_A2A_EXTENSIONS)
  .nullish();

/** ProtoJSON takes either alphabet, with or without padding. */
const BASE64 = /^[A-Za-z0-9+/_-]*={0,2}$/;

const PartSchema = z
  .looseObject({
    text: z.string().nullish(),
    raw: z.string().regex(BASE64, "is no base64").nullish(),
    url: z.string().max(MAX_A2A_URL_CHARACTERS).nullish(),
    metadata: MetadataSchema,
    filename: OptionalTextSchema,
    mediaType: z
      .string()
      .max(MAX_A2A_TAG_CHARACTERS)
      .nullish()
      .transform((type) => type || undefined),
  })
  .transform((part, context) => {
    const { text, raw, url, data, filename, mediaType } = part;
    const about = { filename, mediaType };
    const given = [text, raw, url].filter((value) => typeof value === "string");
    // The value null is data when nothing else is there.
    const hasData = "data" in part && (data !== null || given.length === 0);
    if (given.length + (hasData ? 1 : 0) !== 1) {
      const message = "a part has exactly one of text, raw, url and data";
      context.addIssue({ code: "custom", message, input: part });
      return z.NEVER;
    }
    if (typeof text === "string") return { kind: "text", text, ...about } as const;
    if (typeof raw === "string") return { kind: "raw", raw, ...about } as const;
    if (typeof url === "string") return { kind: "url", url, ...about } as const;
    return { kind: "data", data, ...about } as const;
  });
/** A part that a client has sent. */
export type ReceivedPart = z.output<typeof PartSchema>;

const MessageSchema = z.object({
  messageId: idText(MAX_A2A_MESSAGE_ID_CHARACTERS),
  contextId: OptionalIdSchema,
  taskId: OptionalTextSchema,
  role: z
    .union([z.literal("ROLE_USER"), z.literal(1)], "a client's message has the role ROLE_USER")
    .transform(() => "ROLE_USER" as const),
  parts: z.array(PartSchema).min(1, "a message has at least one part").max(MAX_A2A_PARTS),
  metadata: MetadataSchema,
  extensions: ExtensionsSchema,
  referenceTaskIds: z.array(IdSchema).max(MAX_A2A_EXTENSIONS).nullish(),
});
/** A message that a client has sent. */
export type ReceivedMessage = z.output<typeof MessageSchema>;

const PushConfigSchema = z.object({
  tenant,
  id: OptionalIdSchema,
  taskId: OptionalIdSchema,
  url: z.string().min(1, "is empty").max(MAX_A2A_URL_CHARACTERS),
  token: OptionalTextSchema,
  authentication: z
    .object({ scheme: z.string().min(1).max(64), credentials: OptionalTextSchema })
    .nullish()
    .transform((authentication) => authentication ?? undefined),
});
/** A config that a client has sent. */
export type ReceivedPushConfig = z.output<typeof PushConfigSchema>;

const ConfigurationSchema = z.object({
  acceptedOutputModes: z
    .array(z.string().max(MAX_A2A_TAG_CHARACTERS))
    .max(MAX_A2A_EXTENSIONS)
    .nullish(),
  taskPushNotificationConfig: PushConfigSchema.nullish().transform((one) => one ?? undefined),
  historyLength: HistoryLengthSchema,
  returnImmediately: FlagSchema,
});

type Configuration = Partial<z.output<typeof ConfigurationSchema>>;

export const SendRequestSchema = z.object({
  tenant,
  message: MessageSchema,
  configuration: ConfigurationSchema.nullish().transform((given): Configuration => given ?? {}),
  metadata: MetadataSchema,
});
export type SendRequest = z.output<typeof SendRequestSchema>;

export const GetTaskRequestSchema = z.object({
  tenant,
  id: TaskIdSchema,
  historyLength: HistoryLengthSchema,
});

/** Of `CancelTask` and `SubscribeToTask`. */
export const TaskRequestSchema = z.object({ tenant, id: TaskIdSchema, metadata: MetadataSchema });

/** A filter that is `UNRECOGNIZED` is what a client of the SDK sends for none. */
const StateSchema = z
  .union(
    [
      z.enum([...STATES, "UNRECOGNIZED", ""]),
      z
        .int()
        .min(0)
        .max(STATES.length - 1),
    ],
    `is no state of a task; one of ${STATES.slice(1).join(", ")}`,
  )
  .nullish()
  .transform((given): A2aTaskState | undefined => {
    const state = typeof given === "number" ? STATES[given] : given;
    const isNone = !state || state === "UNRECOGNIZED" || state === "TASK_STATE_UNSPECIFIED";
    return isNone ? undefined : state;
  });

export const ListTasksRequestSchema = z.object({
  tenant,
  contextId: OptionalIdSchema,
  status: StateSchema,
  pageSize: wholeNumber(1, MAX_A2A_PAGE_SIZE)
    .nullish()
    .transform((size) => size ?? DEFAULT_A2A_PAGE_SIZE),
  pageToken: OptionalTextSchema,
  historyLength: HistoryLengthSchema,
  statusTimestampAfter: z.iso
    .datetime({ offset: true, error: "is no time in ISO 8601" })
    .nullish()
    .transform((time) => (time ? new Date(time).toISOString() : undefined)),
  includeArtifacts: FlagSchema,
});
export type ListTasksRequest = z.output<typeof ListTasksRequestSchema>;

export const CreateConfigRequestSchema = PushConfigSchema.extend({ taskId: TaskIdSchema });

/** Of `GetTaskPushNotificationConfig` and the deletion of one. */
export const ConfigRequestSchema = z.object({ tenant, taskId: TaskIdSchema, id: IdSchema });

/** A task has few configs: all of them are one page. */
export const ListConfigsRequestSchema = z.object({
  tenant,
  taskId: TaskIdSchema,
  pageSize: wholeNumber(0, MAX_INT).nullish(),
  pageToken: OptionalTextSchema.refine((token) => token === undefined, "there is one page"),
});

export const CardRequestSchema = z.object({ tenant });
