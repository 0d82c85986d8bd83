// `RunAgentInput`: the body with which an AG-UI client starts or resumes a run. Lenient, so that clients of any
// version work: unknown members are ignored, and null means absent.
import * as z from "zod";

import {
  MAX_CLIENT_BYTES,
  MAX_CLIENT_TOOLS,
  MAX_CONTEXT_ENTRIES,
  MAX_RUN_ID_CHARACTERS,
  MAX_SEEN_ID_CHARACTERS,
  MAX_THREAD_ID_CHARACTERS,
  MAX_TRANSCRIPT_MESSAGES,
} from "./limits.ts";
import { MAX_ANSWERED_CALLS } from "../confirmations/limits.ts";
import { MAX_MESSAGE_BLOCKS, MAX_MESSAGE_ID_CHARACTERS } from "../requests/limits.ts";
import { utf8Bytes } from "../utf8-bytes.ts";
import { PROTOCOL_VERSION } from "./ag-ui-profile.ts";
import { ToolNameSchema } from "../tools/named-tool.ts";
import { MediaAddressSchema } from "../files/media-blocks.ts";
import { refineToolSchemas } from "../tools/refine-tool-schemas.ts";

/** A source of type `file` (stored at a model provider) is not accepted: the platform cannot read it. */
const AgUiSourceSchema = z
  .discriminatedUnion("type", [
    z.object({ type: z.literal("data"), value: z.string(), mimeType: z.string().min(1) }),
    z.object({
      type: z.literal("url"),
      value: MediaAddressSchema,
      mimeType: z.string().min(1).nullish(),
    }),
  ])
  .meta({ id: "AgUiSource", description: "Bytes in base64, or their address." });

const MediaPartSchema = z.object({
  type: z.enum(["image", "audio", "video", "document"]),
  source: AgUiSourceSchema,
  /** Only its `filename` is read. */
  metadata: z.unknown().optional(),
});

/** File part of AG-UI before 1.0. */
const BinaryPartSchema = z
  .object({
    type: z.literal("binary"),
    mimeType: z.string().min(1),
    data: z.string().nullish(),
    url: MediaAddressSchema.nullish(),
    filename: z.string().nullish(),
  })
  .refine(({ data, url }) => Boolean(data) || Boolean(url), {
    message: "a file needs data or a url; files stored at a model provider cannot be read",
  });

/** A part of a user's message or of a tool's result. */
const AgUiPartSchema = z
  .discriminatedUnion("type", [
    z.object({ type: z.literal("text"), text: z.string() }),
    MediaPartSchema,
    BinaryPartSchema,
  ])
  .meta({ id: "AgUiPart", description: "A part of a user's message or of a tool's result." });
export type AgUiInputPart = z.infer<typeof AgUiPartSchema>;

const PartsSchema = z.union([z.string(), z.array(AgUiPartSchema).max(MAX_MESSAGE_BLOCKS)]);
/** Ids of messages other than the user's only tell which messages the client already has. */
const seenId = z.string().min(1).max(MAX_SEEN_ID_CHARACTERS);

const AgUiMessageSchema = z
  .discriminatedUnion("role", [
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
      /** The reason, when the call failed. */
      error: z.string().nullish(),
    }),
    /** Messages of all other roles: the platform has its own copies, and reads their ids only. */
    z.object({
      role: z.enum(["developer", "system", "assistant", "reasoning", "activity"]),
      id: seenId,
    }),
  ])
  .meta({
    id: "AgUiMessage",
    description:
      "A message of the client's transcript. Of roles other than user and tool only the id is read.",
  });

const AgUiToolSchema = z
  .object({
    name: ToolNameSchema,
    description: z.string().nullish(),
    /** JSON Schema of the call's input; any object when left out. */
    parameters: z.record(z.string(), z.json()).nullish(),
  })
  .meta({ id: "AgUiTool", description: "A tool that the client runs itself." });

const AgUiContextSchema = z
  .object({ description: z.string(), value: z.string() })
  .meta({ id: "AgUiContext", description: "Context from the client for the model." });

const AgUiResumeSchema = z
  .object({
    interruptId: z.string().min(1).max(MAX_SEEN_ID_CHARACTERS),
    /** Cancelled: there will be no answer; the call does not run, or gets no result. */
    status: z.enum(["resolved", "cancelled"]),
    /** The answer, valid against the interrupt's `responseSchema`. */
    payload: z.unknown().optional(),
    metadata: z.unknown().optional(),
  })
  .meta({ id: "AgUiResume", description: "The answer to one interrupt." });

export const RunAgentInputSchema = z
  .object({
    threadId: z.string().min(1).max(MAX_THREAD_ID_CHARACTERS),
    runId: z.string().min(1).max(MAX_RUN_ID_CHARACTERS),
    /** Chooses how the run is written. Clients of before 1.0 send none, and get what they can read. */
    protocolVersion: z
      .string()
      .regex(PROTOCOL_VERSION, "the versions that are spoken here are 0.x and 1.x")
      .nullish(),
    parentRunId: z.string().min(1).max(MAX_RUN_ID_CHARACTERS).nullish(),
    messages: z.array(AgUiMessageSchema).max(MAX_TRANSCRIPT_MESSAGES),
    tools: z
      .array(AgUiToolSchema)
      .max(MAX_CLIENT_TOOLS)
      .superRefine((tools, context) => refineToolSchemas(tools, "parameters", context))
      .nullish(),
    context: z.array(AgUiContextSchema).max(MAX_CONTEXT_ENTRIES).nullish(),
    /** Anything but a non-empty object counts as no state. */
    state: z.unknown().optional(),
    resume: z.array(AgUiResumeSchema).max(MAX_ANSWERED_CALLS).nullish(),
    /** Of any shape. A request of a page of an MCP server is read from it ({@link proxiedMcpRequest}), and nothing else. */
    forwardedProps: z.unknown().optional(),
  })
  .refine(({ tools, context }) => utf8Bytes(JSON.stringify([tools, context])) <= MAX_CLIENT_BYTES, {
    message: `tools and context may take ${MAX_CLIENT_BYTES} bytes as JSON at most`,
  })
  .meta({
    id: "RunAgentInput",
    description:
      "The input of a run as AG-UI's clients send it. Unknown members are ignored, and null counts as left out. Tools and context together may have 262,144 bytes as JSON.",
  });
export type RunAgentInput = z.infer<typeof RunAgentInputSchema>;
