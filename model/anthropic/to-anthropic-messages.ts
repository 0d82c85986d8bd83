// Converts a conversation to the messages of the Messages API.
import type { ContentBlockParam, ToolResultBlockParam } from "@anthropic-ai/sdk/resources/messages";

import type { ModelRequest } from "../../agent/ports.ts";
import type { ContentBlock, HintBlock, ToolResultBlock } from "../../protocol/messages/blocks.ts";
import type { RequestForm } from "../../protocol/models/events.ts";
import { describeData } from "../conversation/describe-data.ts";
import { withSentMembers, type PropertyNames } from "../conversation/property-names.ts";
import type { NamesOfTools } from "../conversation/renamed-inputs.ts";
import {
  resultsById,
  sendableBlocks,
  splitRounds,
  type SaidBlock,
} from "../conversation/rounds.ts";
import { sendsReasoning, unsignedMember } from "../conversation/unsigned-reasoning.ts";
import { toCallId, toFunctionName } from "../conversation/wire-names.ts";
import type { JsonFields } from "../stream/json-fields.ts";
import { parseStreamEvent } from "../stream/stream-event.ts";
import { toBlocks, toShown, toText, type ShownBlock } from "./anthropic-content.ts";
import { openThought } from "./sealed-thought.ts";

export interface AnthropicForm {
  /** The author whose proofs are sent. */
  readonly by: string;
  readonly form: RequestForm;
  /** Names of properties that have another form in inputs. */
  readonly names: NamesOfTools;
}

/** The form in which a reply is sent, beside its words. */
interface SentForm extends Pick<AnthropicForm, "by" | "names"> {
  /** Null where unsigned thinking is not sent; `isFilled` where a call without any has a space in its place. */
  readonly unsigned: { readonly isFilled: boolean } | null;
}

/** A message whose content is blocks. */
export interface Turn {
  readonly role: "user" | "assistant";
  readonly content: ContentBlockParam[];
}

/** The API wants the first message to be the user's, and the last one too. */
const BEFORE_ASSISTANT = "(The conversation begins with the assistant.)";
const AFTER_ASSISTANT = "Continue.";

/**
 * The messages, those of one role in a row as one. Blocks of a model call keep their order. Thinking is left out, except
 * thinking of the same model: signed thinking is the model's own, unchanged; unsigned thinking as `send_reasoning` says.
 */
export function toAnthropicMessages(
  messages: ModelRequest["messages"],
  { by, form, names }: AnthropicForm,
): Turn[] {
  const turns: Turn[] = [];
  const isSent = sendsReasoning(messages, form.send_reasoning);
  for (const [index, message] of messages.entries()) {
    if (message.role === "assistant") {
      const unsigned = isSent(index) ? { isFilled: form.missing_reasoning === "space" } : null;
      addReply(turns, message.content, { by, names, unsigned });
    } else add(turns, "user", toBlocks(message.content.filter(isTextOrData)));
  }
  if (turns[0]?.role === "assistant") {
    turns.unshift({ role: "user", content: toText(BEFORE_ASSISTANT) });
  }
  if (turns.at(-1)?.role === "assistant") add(turns, "user", toText(AFTER_ASSISTANT));
  return turns;
}

function addReply(turns: Turn[], content: readonly ContentBlock[], form: SentForm): void {
  const results = resultsById(content);
  for (const { said, hints } of splitRounds(content)) {
    add(turns, "assistant", saidBlocks(sendableBlocks(said), form));
    const answered = said.flatMap((block) => {
      const result = block.type === "tool_call" ? results.get(block.id) : undefined;
      return result ? [toResult(result)] : [];
    });
    add(turns, "user", answered);
    add(turns, "user", madeData(said));
    add(turns, "user", hints.flatMap(hintBlocks));
  }
}

function add(turns: Turn[], role: Turn["role"], content: ContentBlockParam[]): void {
  if (content.length === 0) return;
  const last = turns.at(-1);
  if (last?.role === role) last.content.push(...content);
  else turns.push({ role, content });
}

function saidBlocks(
  said: readonly SaidBlock[],
  { by, names, unsigned }: SentForm,
): ContentBlockParam[] {
  let words = "";
  const blocks = said.flatMap((block): ContentBlockParam[] => {
    switch (block.type) {
      case "thinking": {
        if (unsigned && unsignedMember(block, by)) return [unsignedThought(block.thinking)];
        words += block.thinking;
        const thought = openThought(block, words, by);
        if (thought) words = "";
        return thought ? [thought] : [];
      }
      case "text":
        return toText(block.text);
      case "tool_call": {
        const { id, name, input } = block;
        return [
          {
            type: "tool_use",
            id: toCallId(id),
            name: toFunctionName(name),
            input: toInput(input, names.get(name)),
          },
        ];
      }
      case "data":
        return [];
      default:
        return block satisfies never;
    }
  });
  const isThought = blocks.some(({ type }) => type === "thinking" || type === "redacted_thinking");
  return unsigned?.isFilled && blocks.length > 0 && !isThought
    ? [unsignedThought(" "), ...blocks]
    : blocks;
}

/** Endpoints that do not sign their thoughts do not read this member either, and clients send it as it came: empty. */
function unsignedThought(thinking: string): ContentBlockParam {
  return { type: "thinking", thinking, signature: "" };
}

/** The API takes objects alone. A call whose input is none stays, since its result follows; so do its words. */
function toInput(input: string, names: PropertyNames | undefined): JsonFields {
  const fields = parseStreamEvent(input);
  if (!fields) return { invalid_input: input };
  return names ? withSentMembers(fields, names) : fields;
}

function toResult({ id, output, state }: ToolResultBlock): ToolResultBlockParam {
  const content = typeof output === "string" ? toText(output) : toBlocks(output);
  return {
    type: "tool_result",
    tool_use_id: toCallId(id),
    content: content.length > 0 ? content : toText(`[no output, state: ${state}]`),
    ...(state !== "success" && { is_error: true }),
  };
}

/** The API takes no data of an assistant, so it follows as the user's. */
function madeData(said: readonly SaidBlock[]): ShownBlock[] {
  return said.flatMap((block): ShownBlock[] =>
    block.type === "data"
      ? [...toText(`The assistant made ${describeData(block)}:`), toShown(block)]
      : [],
  );
}

function hintBlocks({ hint }: HintBlock): ShownBlock[] {
  return typeof hint === "string" ? toText(hint) : toBlocks(hint);
}

function isTextOrData(
  block: ContentBlock,
): block is Extract<ContentBlock, { type: "text" | "data" }> {
  return block.type === "text" || block.type === "data";
}
