// The end of a background task as the message that begins a reply.
import { TASK_HINT_SOURCE } from "../../protocol/background/events.ts";
import { MAX_TASK_TEXT_CHARACTERS } from "../../protocol/background/limits.ts";
import { completeBlock } from "../../protocol/messages/complete-block.ts";
import { AssistantMsg } from "../../protocol/messages/constructors.ts";
import type { ContentBlockInput, HintBlock } from "../../protocol/messages/blocks.ts";
import type { Msg } from "../../protocol/messages/messages.ts";
import type { UntrustedSource } from "../../protocol/messages/untrusted-content.ts";
import type { ToolChunk } from "../tool-chunk.ts";
import { cutMiddle } from "../context/cut-middle.ts";

type Part = Extract<HintBlock["hint"], readonly unknown[]>[number];
type PartInput = Extract<ContentBlockInput, { readonly type: "text" | "data" }>;

/** The result of a tool in the background. */
export interface TaskOutcome {
  readonly state: "success" | "error";
  readonly parts: readonly PartInput[];
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/** A task that has ended, with its call. */
interface EndedTask {
  readonly task_id: string;
  readonly reply_id: string;
  readonly tool_call_id: string;
  readonly tool_name: string;
  readonly untrusted: UntrustedSource | null;
}

/** Collects the chunks of a result. Texts that follow each other are one part. */
export class OutcomeWriter {
  readonly #parts: PartInput[] = [];
  #text = "";

  add(chunk: Extract<ToolChunk, { readonly type: "text" | "data" | "url" }>): void {
    if (chunk.type === "text") {
      this.#text += chunk.delta;
      return;
    }
    this.#endText();
    const { media_type } = chunk;
    const source =
      chunk.type === "url"
        ? ({ type: "url", url: chunk.url, media_type } as const)
        : ({ type: "base64", data: chunk.data, media_type } as const);
    this.#parts.push({ type: "data", source });
  }

  end({ state, metadata }: Pick<TaskOutcome, "state" | "metadata">): TaskOutcome {
    this.#endText();
    return { state, parts: this.#parts, ...(metadata && { metadata }) };
  }

  #endText(): void {
    if (this.#text !== "") this.#parts.push({ type: "text", text: this.#text });
    this.#text = "";
  }
}

/** An outcome of one sentence. */
export function failedOutcome(text: string): TaskOutcome {
  return { state: "error", parts: [{ type: "text", text }] };
}

/** @param now ISO 8601. */
export function taskHint(
  { task_id, tool_name, tool_call_id, reply_id, untrusted }: EndedTask,
  { state, parts, metadata }: TaskOutcome,
  { id, now }: { readonly id: string; readonly now: string },
): Msg {
  const ending = state === "success" ? "has ended" : "has failed";
  const what = parts.length > 0 ? " Its result:\n" : " It has no output.";
  const head = `The background task ${task_id} of the tool ${tool_name} ${ending}.${what}`;
  const [first, ...rest] = bounded(parts);
  const isText = first?.type === "text";
  const begun = isText ? head + first.text : head;
  const others = isText || !first ? rest : [first, ...rest];
  const hint: ContentBlockInput = {
    type: "hint",
    hint: others.length === 0 ? begun : [{ type: "text", text: begun }, ...others],
    source: TASK_HINT_SOURCE,
  };
  const message = AssistantMsg({
    id,
    name: tool_name,
    content: [withIds(completeBlock(hint, now), id)],
    created_at: now,
    metadata: {
      woken_by: task_id,
      of_reply: reply_id,
      tool_call_id,
      ...(metadata && { result: metadata }),
      ...(untrusted && { untrusted }),
    },
  });
  return { ...message, finished_at: now };
}

/** Ids of blocks follow from the message's, so that the same end makes the same message. */
function withIds<Block extends Msg["content"][number]>(block: Block, id: string): Block {
  if (block.type !== "hint") return block;
  const { hint } = block;
  const parts: string | Part[] =
    typeof hint === "string"
      ? hint
      : hint.map((part, index) => ({ ...part, id: `${id}_part_${index}` }));
  return { ...block, id: `${id}_hint`, hint: parts };
}

/** Each text loses its middle so that all of them have room. */
function bounded(parts: readonly PartInput[]): readonly PartInput[] {
  let left = MAX_TASK_TEXT_CHARACTERS;
  return parts.map((part) => {
    if (part.type !== "text") return part;
    const text = part.text.length > left ? cutMiddle(part.text, left) : part.text;
    left = Math.max(left - text.length, 0);
    return { ...part, text };
  });
}
