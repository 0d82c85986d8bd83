// What a client of AG-UI 1.0 sends to begin a run, or to go on. Taken as clients of any age write it: members that are
// not known here are ignored, and null stands for a member that is left out.
import { z } from "zod";

import {
  MAX_CLIENT_BYTES,
  MAX_CLIENT_TOOLS,
  MAX_CONTEXT_ENTRIES,
  MAX_RUN_ID_CHARACTERS,
  MAX_SEEN_ID_CHARACTERS,
  MAX_THREAD_ID_CHARACTERS,
  MAX_TRANSCRIPT_MESSAGES,
} from "../../limits/ag-ui.ts";
import { MAX_ANSWERED_CALLS } from "../../limits/answers.ts";
import { MAX_MESSAGE_BLOCKS, MAX_MESSAGE_ID_CHARACTERS } from "../../limits/requests.ts";
import { utf8Bytes } from "../../utf8-bytes.ts";
import { ToolNameSchema } from "../agents.ts";
import { MediaAddressSchema } from "../schemas/media-blocks.ts";
import { refineToolSchemas } from "../schemas/refine-tool-schemas.ts";

/** What a provider keeps, a source of type `file`, cannot be read from here. */
export const AgUiSourceSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("data"), value: z.string(), mimeType: z.string().min(1) }),
  z.object({
    type: z.literal("url"),
    value: MediaAddressSchema,
    mimeType: z.string().min(1).nullish(),
  }),
]);

const MediaPartSchema = z.object({
  type: z.enum(["image", "audio", "video", "document"]),
  source: AgUiSourceSchema,
  /** Only its `filename` is read. */
  metadata: z.unknown().optional(),
});

/** How clients wrote files before 1.0. */
const BinaryPartSchema = z
  .object({
    type: z.literal("binary"),
    mimeType: z.string().min(1),
    data: z.string().nullish(),
    url: MediaAddressSchema.nullish(),
    filename: z.string().nullish(),
  })
  .refine(({ data, url }) => Boolean(data) || Boolean(url), {
    message: "a file comes with its data or a url: what a provider keeps cannot be read from here",
  });

/** A piece of what a user says or a tool gave. */
export const AgUiPartSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("text"), text: z.string() }),
  MediaPartSchema,
  BinaryPartSchema,
]);
export type AgUiInputPart = z.infer<typeof AgUiPartSchema>;

const PartsSchema = z.union([z.string(), z.array(AgUiPartSchema).max(MAX_MESSAGE_BLOCKS)]);
/** Of messages that are not the user's an id says only that the client has seen them. */
const seenId = z.string().min(1).max(MAX_SEEN_ID_CHARACTERS);

export const AgUiMessageSchema = z.discriminatedUnion("role", [
  z.object({
    role: z.literal("user"),
    id: z.string().min(1).max(MAX_MESSAGE_ID_CHARACTERS),
    name: z.string().max(200).nullish(),
    content: PartsSchema,
  }),
  z.object({
    role: z.literal("tool"),
    id: seenId,
    toolCallId: z.string().min(1),
    content: PartsSchema,
    /** The call failed, and why. */
    error: z.string().nullish(),
  }),
  /** The platform has its own, and reads none of these. */
  z.object({
    role: z.enum(["developer", "system", "assistant", "reasoning", "activity"]),
    id: seenId,
  }),
]);

export const AgUiToolSchema = z.object({
  name: ToolNameSchema,
  description: z.string().nullish(),
  /** JSON Schema of the call's input; any object when left out. */
  parameters: z.record(z.string(), z.json()).nullish(),
});

export const AgUiContextSchema = z.object({ description: z.string(), value: z.string() });

export const AgUiResumeSchema = z.object({
  interruptId: z.string().min(1).max(MAX_SEEN_ID_CHARACTERS),
  /** Cancelled: nobody answers; the call does not run, or has no result. */
  status: z.enum(["resolved", "cancelled"]),
  /** What was asked for, as the interrupt's `responseSchema` has it. */
  payload: z.unknown().optional(),
  metadata: z.unknown().optional(),
});

export const RunAgentInputSchema = z
  .object({
    threadId: z.string().min(1).max(MAX_THREAD_ID_CHARACTERS),
    runId: z.string().min(1).max(MAX_RUN_ID_CHARACTERS),
    parentRunId: z.string().min(1).max(MAX_RUN_ID_CHARACTERS).nullish(),
    messages: z.array(AgUiMessageSchema).max(MAX_TRANSCRIPT_MESSAGES),
    tools: z
      .array(AgUiToolSchema)
      .max(MAX_CLIENT_TOOLS)
      .superRefine((tools, context) => refineToolSchemas(tools, "parameters", context))
      .nullish(),
    context: z.array(AgUiContextSchema).max(MAX_CONTEXT_ENTRIES).nullish(),
    /** What is no object with members counts as none. */
    state: z.unknown().optional(),
    resume: z.array(AgUiResumeSchema).max(MAX_ANSWERED_CALLS).nullish(),
  })
  .refine(({ tools, context }) => utf8Bytes(JSON.stringify([tools, context])) <= MAX_CLIENT_BYTES, {
    message: `tools and context may take ${MAX_CLIENT_BYTES} bytes as JSON at most`,
  });
export type RunAgentInput = z.infer<typeof RunAgentInputSchema>;
