// Converts a conversation to the input items of the Responses API.
import type { ResponseInputItem } from "openai/resources/responses/responses";

import type { ModelRequest } from "../../../agent/ports.ts";
import type { ContentBlock, ToolResultBlock } from "../../../protocol/messages/blocks.ts";
import type { RequestForm } from "../../../protocol/models/events.ts";
import { wholeLetters } from "../../../outgoing/whole-letters.ts";
import { describeData } from "../../conversation/describe-data.ts";
import {
  resultsById,
  sendableBlocks,
  splitRounds,
  type SaidBlock,
} from "../../conversation/rounds.ts";
import { sendsReasoning, unsignedMember } from "../../conversation/unsigned-reasoning.ts";
import { toCallId, toFunctionName } from "../../conversation/wire-names.ts";
import { toInputPart, toInputParts, toInputText, type InputPart } from "./responses-content.ts";
import { openReasoning, textItem } from "./sealed-reasoning.ts";

export interface ResponsesForm {
  /** The author whose proofs are sent. */
  readonly by: string;
  readonly form: RequestForm;
}

interface Thoughts {
  readonly by: string;
  /** Null where the text of reasoning is not sent; `isFilled` where each call without any before it has some. */
  readonly unsigned: { readonly isFilled: boolean } | null;
}

/**
 * Items of a model call keep their order. Reasoning is left out, except what the same model has encrypted, and its text as
 * `send_reasoning` says.
 */
export function toResponsesInput(
  messages: ModelRequest["messages"],
  { by, form }: ResponsesForm,
): ResponseInputItem[] {
  const isSent = sendsReasoning(messages, form.send_reasoning);
  return messages.flatMap((message, index) => {
    if (message.role === "assistant") {
      const unsigned = isSent(index) ? { isFilled: form.missing_reasoning === "space" } : null;
      return replyItems(message.content, { by, unsigned });
    }
    const content = toInputParts(message.content.filter(isTextOrData));
    return content.length > 0 ? [{ role: message.role, content }] : [];
  });
}

function replyItems(content: readonly ContentBlock[], thoughts: Thoughts): ResponseInputItem[] {
  const results = resultsById(content);
  return splitRounds(content).flatMap(({ said, hints }) => [
    ...withReasoning(saidItems(sendableBlocks(said), thoughts), thoughts),
    ...said.flatMap((block) => {
      const result = block.type === "tool_call" ? results.get(block.id) : undefined;
      return result ? [toOutput(result)] : [];
    }),
    ...toUser(madeData(said)),
    ...hints.flatMap(({ hint }) =>
      toUser(typeof hint === "string" ? toInputText(hint) : toInputParts(hint)),
    ),
  ]);
}

/**
 * Gateways to models that think want reasoning right before each call, also before the second one of a turn, which gets
 * what the turn has (rikkahub/rikkahub#1690, maximhq/bifrost#3802).
 */
function withReasoning(
  items: readonly ResponseInputItem[],
  { unsigned }: Thoughts,
): ResponseInputItem[] {
  if (!unsigned?.isFilled) return [...items];
  let last: ResponseInputItem = textItem(" ");
  return items.flatMap((item, index) => {
    if (isReasoning(item)) {
      last = item;
      return [item];
    }
    const before = items[index - 1];
    const isFirst = before === undefined;
    const hasToBe = isFirst || ("type" in item && item.type === "function_call");
    return hasToBe && (isFirst || !isReasoning(before)) ? [last, item] : [item];
  });
}

function isReasoning(item: ResponseInputItem): boolean {
  return "type" in item && item.type === "reasoning";
}

function saidItems(said: readonly SaidBlock[], { by, unsigned }: Thoughts): ResponseInputItem[] {
  let words = "";
  return said.flatMap((block): ResponseInputItem[] => {
    switch (block.type) {
      case "thinking": {
        if (unsigned && unsignedMember(block, by)) return [textItem(block.thinking)];
        words += block.thinking;
        const item = openReasoning(block["signature"], words, by);
        if (item) words = "";
        return item ? [item] : [];
      }
      case "text":
        return [{ role: "assistant", content: block.text }];
      case "tool_call": {
        const { id, name, input } = block;
        return [
          {
            type: "function_call",
            call_id: toCallId(id),
            name: toFunctionName(name),
            arguments: wholeLetters(input),
          },
        ];
      }
      case "data":
        return [];
      default:
        return block satisfies never;
    }
  });
}

/** The API knows no failed output: the text says it. */
function toOutput({ id, output, state }: ToolResultBlock): ResponseInputItem {
  const parts = typeof output === "string" ? toInputText(output) : toInputParts(output);
  const texts = parts.flatMap((part) => (part.type === "input_text" ? [part.text] : []));
  const isText = texts.length === parts.length;
  return {
    type: "function_call_output",
    call_id: toCallId(id),
    output: isText ? texts.join("\n") || `[no output, state: ${state}]` : parts,
  };
}

/** The API takes no data of an assistant, so it follows as the user's. */
function madeData(said: readonly SaidBlock[]): InputPart[] {
  return said.flatMap((block): InputPart[] =>
    block.type === "data"
      ? [...toInputText(`The assistant made ${describeData(block)}:`), toInputPart(block)]
      : [],
  );
}

function toUser(content: InputPart[]): ResponseInputItem[] {
  return content.length > 0 ? [{ role: "user", content }] : [];
}

function isTextOrData(
  block: ContentBlock,
): block is Extract<ContentBlock, { type: "text" | "data" }> {
  return block.type === "text" || block.type === "data";
}
