// Converts a `RunAgentInput` into the platform's `RunInput`.
import type { AgUiInputPart, RunAgentInput } from "../../../api/ag-ui/ag-ui.ts";
import { InputMessageSchema, type InputMessage } from "../../../api/replies.ts";
import { TextOrDataBlockSchema, type TextOrDataBlock } from "../../../messages/blocks.ts";
import { accept, refuse, type FieldError, type Result } from "../../../errors.ts";
import { UPDATE_SHARED_STATE_TOOL, type StateObject } from "../../../shared-state.ts";
import { STRUCTURED_OUTPUT_TOOL } from "../../../structured-output.ts";
import type { ClientResult, ClientTool, ResumeEntry, RunInput } from "./run-input.ts";

type Message = RunAgentInput["messages"][number];
type MediaPart = Exclude<AgUiInputPart, { type: "text" }>;

/** Names that a client's tools may not use. */
const PLATFORM_TOOLS: readonly string[] = [STRUCTURED_OUTPUT_TOOL, UPDATE_SHARED_STATE_TOOL];

/**
 * Takes the user messages and tool results of the transcript; of all other messages only the ids, which tell what the
 * client already has. Blocks get new ids and timestamps.
 * @returns `validation_failed`, with pointers, for tools with reserved or duplicate names.
 */
export function readRunInput(body: RunAgentInput): Result<RunInput> {
  const tools = (body.tools ?? []).map(({ name, description, parameters }): ClientTool => {
    return { name, description: description ?? "", input_schema: parameters ?? { type: "object" } };
  });
  const errors = tools.flatMap((tool, index) => nameProblem(tool, index, tools));
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

function toBlock(part: AgUiInputPart): TextOrDataBlock {
  return TextOrDataBlockSchema.parse(
    part.type === "text"
      ? { type: "text", text: part.text }
      : { type: "data", source: sourceOf(part), name: fileName(part) },
  );
}

function sourceOf(part: MediaPart): object {
  if (part.type === "binary") {
    const media_type = part.mimeType;
    return part.data
      ? { type: "base64", data: part.data, media_type }
      : { type: "url", url: part.url, media_type };
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
