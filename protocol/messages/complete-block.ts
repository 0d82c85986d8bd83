// Fills in the defaults of a block as its schema would. No zod: clients use this file.
import type {
  Base64Source,
  ContentBlock,
  ContentBlockInput,
  DataBlock,
  TextBlock,
  TextOrDataBlock,
  UrlSource,
} from "./blocks.ts";
import { generateId } from "./defaults.ts";
import type { PermissionRule } from "./permission.ts";

type TextOrDataBlockInput = Extract<ContentBlockInput, { type: "text" | "data" }>;

/**
 * The complete block with its members in the schema's order. Unknown members are dropped, except in thinking blocks.
 *
 * @param now Default creation time.
 * @throws {TypeError} when the type is none of AgentScope's.
 */
export function completeBlock(input: ContentBlockInput, now: string): ContentBlock {
  const times = { created_at: input.created_at ?? now, finished_at: input.finished_at ?? null };
  switch (input.type) {
    case "text":
    case "data":
      return completeTextOrData(input, now);
    case "thinking": {
      const { type, thinking, id, created_at: _created, finished_at: _finished, ...extra } = input;
      return { type, thinking, id: id ?? generateId(), ...times, ...extra };
    }
    case "hint":
      return {
        type: "hint",
        hint: completeOutput(input.hint, now),
        id: input.id ?? generateId(),
        source: input.source ?? null,
        created_at: times.created_at,
        finished_at: input.finished_at === undefined ? times.created_at : input.finished_at,
        ...(input.metadata && { metadata: input.metadata }),
      };
    case "tool_call":
      return {
        type: "tool_call",
        id: input.id,
        name: input.name,
        input: input.input,
        state: input.state ?? "pending",
        suggested_rules: (input.suggested_rules ?? []).map(completeRule),
        ...times,
      };
    case "tool_result":
      return {
        type: "tool_result",
        id: input.id,
        name: input.name,
        output: completeOutput(input.output, now),
        state: input.state ?? "running",
        metadata: input.metadata ?? {},
        ...times,
      };
    default:
      throw unknownType(input);
  }
}

function completeOutput(
  output: string | readonly TextOrDataBlockInput[],
  now: string,
): string | TextOrDataBlock[] {
  return typeof output === "string"
    ? output
    : output.map((block) => completeTextOrData(block, now));
}

function completeTextOrData(input: TextOrDataBlockInput, now: string): TextBlock | DataBlock {
  const id = input.id ?? generateId();
  const times = { created_at: input.created_at ?? now, finished_at: input.finished_at ?? null };
  if (input.type === "text") return { type: "text", text: input.text, id, ...times };
  const source = completeSource(input.source);
  return { type: "data", id, source, name: input.name ?? null, ...times };
}

function completeSource(source: Base64Source | UrlSource): Base64Source | UrlSource {
  const { media_type } = source;
  return source.type === "base64"
    ? { type: "base64", data: source.data, media_type }
    : { type: "url", url: source.url, media_type };
}

function completeRule({
  tool_name,
  rule_content,
  behavior,
  source,
}: PermissionRule): PermissionRule {
  return { tool_name, rule_content, behavior, source };
}

/** Only reachable from JavaScript or through a type assertion. */
function unknownType(input: never): TypeError {
  const { type } = input as { type?: unknown };
  return new TypeError(
    `no content block has the type ${JSON.stringify(type)}; there are text, thinking, data, hint, tool_call and tool_result`,
  );
}
