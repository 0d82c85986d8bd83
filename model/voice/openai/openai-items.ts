// Pieces of the session's conversation as items of the provider's.
import type {
  ContentBlock,
  DataBlock,
  TextBlock,
  ToolResultBlock,
} from "../../../protocol/messages/blocks.ts";
import { wholeLetters } from "../../../outgoing/whole-letters.ts";
import { describeData, noteOfData } from "../../conversation/describe-data.ts";
import { inlineData } from "../../conversation/inline-data.ts";
import { toFunctionName } from "../../conversation/wire-names.ts";
import type { ConversationPiece } from "../realtime/conversation-feed.ts";
import type { WireIds } from "../realtime/wire-ids.ts";
import type { RealtimeNames } from "./realtime-names.ts";

type Part =
  | { readonly type: "input_text"; readonly text: string }
  | { readonly type: "output_text"; readonly text: string }
  | { readonly type: "input_image"; readonly image_url: string };

export type RealtimeItem =
  | {
      readonly type: "message";
      readonly role: "user" | "assistant" | "system";
      readonly content: readonly Part[];
    }
  | {
      readonly type: "function_call";
      readonly call_id: string;
      readonly name: string;
      readonly arguments: string;
    }
  | {
      readonly type: "function_call_output";
      readonly call_id: string;
      readonly output: string;
    };

/** Others are notes: the provider refuses the item. */
const PICTURES: ReadonlySet<string> = new Set(["image/png", "image/jpeg"]);

/** Pieces of one message of the user that follow each other are one item. */
export function itemsOf(
  pieces: readonly ConversationPiece[],
  ids: WireIds,
  names: RealtimeNames,
): readonly RealtimeItem[] {
  const items: RealtimeItem[] = [];
  let last: string | null = null;
  for (const { message, block } of pieces) {
    const isUsers = message.role === "user" && (block.type === "text" || block.type === "data");
    const before = items.at(-1);
    if (isUsers && message.id === last && before?.type === "message") {
      items[items.length - 1] = { ...before, content: [...before.content, partOf(block, names)] };
    } else {
      items.push(...toItems(message.role, block, { ids, names }));
    }
    last = isUsers ? message.id : null;
  }
  return items;
}

interface Wire {
  readonly ids: WireIds;
  readonly names: RealtimeNames;
}

function toItems(
  role: "user" | "assistant" | "system",
  block: ContentBlock,
  { ids, names }: Wire,
): readonly RealtimeItem[] {
  switch (block.type) {
    case "text":
      return block.text === "" ? [] : [textItem(role, block.text)];
    case "data":
      if (role === "user") return [userItem([partOf(block, names)])];
      return [
        userItem([inputText(`The assistant made ${describeData(block)}:`), partOf(block, names)]),
      ];
    case "hint": {
      const { hint } = block;
      const parts = typeof hint === "string" ? [inputText(hint)] : hint.map((one) => noteOf(one));
      return [{ type: "message", role: "system", content: parts }];
    }
    case "tool_call":
      return [
        {
          type: "function_call",
          call_id: ids.told(block.id),
          name: toFunctionName(block.name),
          arguments: wholeLetters(block.input),
        },
      ];
    case "tool_result":
      return [resultItem(block, ids), ...resultPictures(block, names)];
    case "thinking":
      return [];
    default:
      return block satisfies never;
  }
}

function textItem(role: "user" | "assistant" | "system", text: string): RealtimeItem {
  const part = role === "assistant" ? ({ type: "output_text", text } as const) : inputText(text);
  return { type: "message", role, content: [part] };
}

function userItem(content: readonly Part[]): RealtimeItem {
  return { type: "message", role: "user", content };
}

function inputText(text: string): Part {
  return { type: "input_text", text };
}

function noteOf(block: TextBlock | DataBlock): Part {
  return inputText(block.type === "text" ? block.text : noteOfData(block));
}

function partOf(block: TextBlock | DataBlock, { seesPictures }: RealtimeNames): Part {
  const inline = block.type === "data" && seesPictures ? inlineData(block) : null;
  if (!inline || !PICTURES.has(inline.media_type)) return noteOf(block);
  return {
    type: "input_image",
    image_url: `data:${inline.media_type};base64,${inline.data}`,
  };
}

/** Never empty: what is empty counts as missing. */
function resultItem({ id, output, state }: ToolResultBlock, ids: WireIds): RealtimeItem {
  const text =
    typeof output === "string"
      ? output
      : output
          .map((block) => (block.type === "text" ? block.text : `[${describeData(block)}]`))
          .join("\n");
  return {
    type: "function_call_output",
    call_id: ids.told(id),
    output: text === "" ? `[no output, state: ${state}]` : text,
  };
}

function resultPictures(
  { name, output }: ToolResultBlock,
  names: RealtimeNames,
): readonly RealtimeItem[] {
  if (typeof output === "string") return [];
  return output.flatMap((block) => {
    const part = block.type === "data" ? partOf(block, names) : null;
    if (part?.type !== "input_image" || block.type !== "data") return [];
    return [userItem([inputText(`The tool ${name} returned ${describeData(block)}:`), part])];
  });
}
