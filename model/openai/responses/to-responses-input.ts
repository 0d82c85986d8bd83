// Converts a conversation to the input items of the Responses API.
import type { ResponseInputItem } from "openai/resources/responses/responses";

import type { ModelRequest } from "../../../agent/ports.ts";
import type { ContentBlock, ToolResultBlock } from "../../../protocol/messages/blocks.ts";
import { wholeLetters } from "../../../outgoing/whole-letters.ts";
import { describeData } from "../../conversation/describe-data.ts";
import {
  resultsById,
  sendableBlocks,
  splitRounds,
  type SaidBlock,
} from "../../conversation/rounds.ts";
import { toCallId, toFunctionName } from "../../conversation/wire-names.ts";
import { toInputPart, toInputParts, toInputText, type InputPart } from "./responses-content.ts";
import { openReasoning } from "./sealed-reasoning.ts";

/**
 * Items of a model call keep their order. Reasoning is left out, except what the same model has encrypted.
 * @param by The author whose proofs are sent.
 */
export function toResponsesInput(
  messages: ModelRequest["messages"],
  by: string,
): ResponseInputItem[] {
  return messages.flatMap((message) => {
    if (message.role === "assistant") return replyItems(message.content, by);
    const content = toInputParts(message.content.filter(isTextOrData));
    return content.length > 0 ? [{ role: message.role, content }] : [];
  });
}

function replyItems(content: readonly ContentBlock[], by: string): ResponseInputItem[] {
  const results = resultsById(content);
  return splitRounds(content).flatMap(({ said, hints }) => [
    ...saidItems(sendableBlocks(said), by),
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

function saidItems(said: readonly SaidBlock[], by: string): ResponseInputItem[] {
  let words = "";
  return said.flatMap((block): ResponseInputItem[] => {
    switch (block.type) {
      case "thinking": {
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
