// Converts a `RunAgentInput` into the platform's `RunInput`.
import type { AgUiInputPart, RunAgentInput } from "../../../ag-ui/contract.ts";
import { withoutNullKeywords } from "../../../schemas/without-null-keywords.ts";
import { InputMessageSchema, type InputMessage } from "../../../replies/contract.ts";
import {
  TextOrDataBlockSchema,
  type Base64Source,
  type TextOrDataBlock,
  type UrlSource,
} from "../../../messages/blocks.ts";
import { accept, refuse, type Result } from "../../../errors.ts";
import type { FieldError } from "../../../field-error.ts";
import { NO_BASE64, putRight } from "../../../put-right.ts";
import { UPDATE_SHARED_STATE_TOOL, type StateObject } from "../../../shared-state/events.ts";
import { STRUCTURED_OUTPUT_TOOL } from "../../../schemas/structured-output.ts";
import type { ClientResult, ClientTool, ResumeEntry, RunInput } from "./run-input.ts";

type Message = RunAgentInput["messages"][number];
type MediaPart = Exclude<AgUiInputPart, { type: "text" }>;

/** Names that a client's tools may not use. */
const PLATFORM_TOOLS: readonly string[] = [STRUCTURED_OUTPUT_TOOL, UPDATE_SHARED_STATE_TOOL];

/**
 * Takes the user messages and tool results of the transcript; of all other messages only the ids, which tell what the
 * client already has. Blocks get new ids and timestamps.
 * @returns `validation_failed`, with pointers, for tools with reserved or duplicate names, and for media of the newest
 *   user message that is no base64. Elsewhere in the transcript a note takes its place: a client sends what it has sent
 *   before with each run, and would be refused for good.
 */
export function readRunInput(body: RunAgentInput): Result<RunInput> {
  const tools = (body.tools ?? []).map(({ name, description, parameters }): ClientTool => {
    // Clients leave the schema out, or send null or an empty one, for a tool without parameters.
    const input_schema = { type: "object", ...withoutNullKeywords(parameters ?? {}) };
    return { name, description: description ?? "", input_schema };
  });
  const newest = body.messages.filter(({ role }) => role === "user").at(-1);
  const errors = [
    ...tools.flatMap((tool, index) => nameProblem(tool, index, tools)),
    ...body.messages.flatMap((message, index) =>
      message === newest ? mediaProblems(message, `#/messages/${index}/content`) : [],
    ),
  ];
  if (errors.length > 0) {
    return refuse("validation_failed", "The request does not fit its schema.", { errors });
  }
  return accept({
    messages: body.messages.flatMap(readUserMessage),
    results: body.messages.flatMap(readResult),
    message_ids: body.messages.map(({ id }) => id),
    resume: (body.resume ?? []).map(readEntry),
    tools,
    context: body.context ?? [],
    state: readState(body.state),
  });
}

function nameProblem(
  { name }: ClientTool,
  index: number,
  tools: readonly ClientTool[],
): readonly FieldError[] {
  const pointer = `#/tools/${index}/name`;
  if (PLATFORM_TOOLS.includes(name)) {
    return [{ pointer, detail: `${name} is a tool of the platform` }];
  }
  const isSecond = tools.findIndex((tool) => tool.name === name) < index;
  return isSecond ? [{ pointer, detail: "another tool has this name" }] : [];
}

function readUserMessage(message: Message): readonly InputMessage[] {
  if (message.role !== "user") return [];
  const { id, name, content } = message;
  return [
    InputMessageSchema.parse({
      id,
      ...(name && { name }),
      content: typeof content === "string" ? content : content.map(toBlock),
    }),
  ];
}

function readResult(message: Message): readonly ClientResult[] {
  if (message.role !== "tool") return [];
  const { id: message_id, toolCallId: tool_call_id, content, error } = message;
  const output = typeof content === "string" ? content : content.map(toBlock);
  // Without content the error text is the output.
  return [
    error
      ? { message_id, tool_call_id, output: output.length === 0 ? error : output, state: "error" }
      : { message_id, tool_call_id, output, state: "success" },
  ];
}

function mediaProblems(message: Message, pointer: string): readonly FieldError[] {
  if (message.role !== "user" || typeof message.content === "string") return [];
  return message.content.flatMap((part, index) =>
    part.type === "text" || putRight(sourceOf(part))
      ? []
      : [{ pointer: `${pointer}/${index}/${memberOf(part)}`, detail: NO_BASE64 }],
  );
}

/** The member in which the client has written the data. */
function memberOf(part: MediaPart): string {
  if (part.type === "binary") return part.data ? "data" : "url";
  return "source/value";
}

function toBlock(part: AgUiInputPart): TextOrDataBlock {
  if (part.type === "text") return TextOrDataBlockSchema.parse({ type: "text", text: part.text });
  const source = putRight(sourceOf(part));
  const note = `[left out: data of type ${sourceOf(part).media_type} that is no base64]`;
  return TextOrDataBlockSchema.parse(
    source ? { type: "data", source, name: fileName(part) } : { type: "text", text: note },
  );
}

function sourceOf(part: MediaPart): Base64Source | UrlSource {
  if (part.type === "binary") {
    const media_type = part.mimeType;
    return part.data
      ? { type: "base64", data: part.data, media_type }
      : { type: "url", url: part.url ?? "", media_type };
  }
  const { source } = part;
  return source.type === "data"
    ? { type: "base64", data: source.value, media_type: source.mimeType }
    : { type: "url", url: source.value, media_type: source.mimeType ?? anyTypeOf(part.type) };
}

/** The media type of a URL of this kind; the URL is not fetched. */
function anyTypeOf(kind: "image" | "audio" | "video" | "document"): string {
  return kind === "document" ? "application/octet-stream" : `${kind}/*`;
}

function fileName(part: MediaPart): string | null {
  const name = part.type === "binary" ? part.filename : membersOf(part.metadata)["filename"];
  return typeof name === "string" && name !== "" ? name : null;
}

function readEntry(
  { interruptId, status, payload, metadata }: NonNullable<RunAgentInput["resume"]>[number],
  index: number,
): ResumeEntry {
  const inPayload = membersOf(payload)["inputHash"];
  const hash = inPayload ?? membersOf(membersOf(metadata)["agentscope"])["inputHash"];
  return {
    interrupt_id: interruptId,
    status,
    ...(payload !== undefined && payload !== null && { payload }),
    ...(typeof hash === "string" && { input_hash: hash }),
    pointer: `#/resume/${index}`,
  };
}

function readState(state: unknown): StateObject | null {
  const members = membersOf(state);
  return Object.keys(members).length === 0 ? null : members;
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  return isObject ? (value as Record<string, unknown>) : {};
}
