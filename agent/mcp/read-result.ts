// Reads the result of `tools/call` as blocks. Content of kinds that are not known is named, not dropped.
import type { McpContent } from "../../protocol/mcp/contract.ts";
import { readBase64 } from "../../protocol/read-base64.ts";
import { MAX_CHECK_STEPS } from "../../protocol/schemas/limits.ts";
import { findMisfit } from "../json-schema/find-misfit.ts";
import { StepBudget } from "../step-budget.ts";
import { isJsonObject } from "../../protocol/json-object.ts";

type Fields = Readonly<Record<string, unknown>>;

export interface McpResult {
  readonly state: "success" | "error";
  readonly content: readonly McpContent[];
  /** The result for programs; undefined when there is none, or one that is not what the tool has declared. */
  readonly structured?: unknown;
  /** The reason that the result for programs is not in `structured`. */
  readonly misfit?: string;
  /** The result's `_meta`, as the server sent it. */
  readonly meta?: Fields;
}

/** Null for a result that is none. @param schema What the tool has declared of its structured content, if it has. */
export function readMcpResult(result: Fields, schema: Fields | undefined): McpResult | null {
  const { isError, _meta: meta } = result;
  // Null is what servers write for nothing, which a tool may well give.
  const content = result["content"] === null ? [] : result["content"];
  const structuredContent = result["structuredContent"] ?? undefined;
  if (content !== undefined && !Array.isArray(content)) return null;
  if (content === undefined && structuredContent === undefined) return null;
  const blocks = ((content ?? []) as readonly unknown[]).flatMap((block) => readBlock(block));
  const checked = checkStructured(structuredContent, schema);
  // A server of the newer versions may leave the text out that repeats it.
  const isMute = blocks.length === 0 && structuredContent !== undefined;
  return {
    state: isError === true ? "error" : "success",
    content: isMute ? [text(JSON.stringify(structuredContent))] : blocks,
    ...checked,
    ...(isJsonObject(meta) && { meta }),
  };
}

function checkStructured(
  structured: unknown,
  schema: Fields | undefined,
): Pick<McpResult, "structured" | "misfit"> {
  if (structured === undefined) return {};
  if (!schema) return { structured };
  const budget = new StepBudget(MAX_CHECK_STEPS);
  const misfit = findMisfit(structured, schema, { schemaName: "its output schema", budget });
  return misfit ? { misfit: misfit.text } : { structured };
}

function readBlock(block: unknown): readonly McpContent[] {
  if (!isJsonObject(block)) return [];
  switch (block["type"]) {
    case "text":
      return typeof block["text"] === "string" ? [text(block["text"])] : [];
    case "image":
    case "audio":
      return media(block["data"], block["mimeType"]);
    case "resource":
      return isJsonObject(block["resource"]) ? readResource(block["resource"]) : [];
    case "resource_link":
      return [text(describeLink(block))];
    default:
      return [text(`[left out: content of type ${quote(block["type"])}]`)];
  }
}

function readResource({ uri, mimeType, text: said, blob }: Fields): readonly McpContent[] {
  if (typeof said === "string") return [text(`[resource ${quote(uri)}]\n${said}`)];
  return blob === undefined ? [] : media(blob, mimeType ?? "application/octet-stream");
}

/** A link is told and never followed: what it leads to is the server's to give. */
function describeLink({ uri, name, title, description, mimeType }: Fields): string {
  const parts = [title ?? name, mimeType, description].filter((part) => typeof part === "string");
  return `[resource link ${quote(uri)}${parts.length > 0 ? `: ${parts.join(", ")}` : ""}]`;
}

function media(data: unknown, mediaType: unknown): readonly McpContent[] {
  const base64 = typeof data === "string" ? readBase64(data) : null;
  if (!base64 || typeof mediaType !== "string") {
    return [text(`[left out: ${quote(mediaType)} that cannot be read]`)];
  }
  return [{ type: "data", source: { type: "base64", media_type: mediaType, data: base64 } }];
}

function text(said: string): McpContent {
  return { type: "text", text: said };
}

/** A text of the server's within a sentence of ours. */
function quote(value: unknown): string {
  return JSON.stringify(typeof value === "string" ? value.slice(0, 2_000) : "unknown");
}
