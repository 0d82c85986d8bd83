// The change that a hook's answer makes to what the hook was shown.
import { HOOK_POINT_RULES, type HookAnswer } from "../../protocol/hooks/contract.ts";
import type { HookChange } from "../../protocol/hooks/events.ts";
import type { ContentBlock } from "../../protocol/messages/blocks.ts";
import { putRight } from "../../protocol/put-right.ts";
import { parseExact, withDigitsOf, withDoubles } from "../exact-number.ts";
import { isSameJson } from "../json/is-same-json.ts";
import type { NewId } from "../ports.ts";
import { changedBlocks } from "./changed-blocks.ts";
import type { HookQuestion } from "./hook-question.ts";
import type { HookInput, HookOutput, ShownMessage } from "./hook-runner.ts";

type Shown = Pick<HookQuestion, "point" | "input" | "output" | "fitsTool">;

/**
 * Null when it changes nothing: members of other points are ignored, as are those that are as they were shown. `invalid`
 * for a message or block that was not shown, for a block that may not go, for media that cannot be read, and for an input that does not fit its tool.
 */
export function readChange(
  answer: HookAnswer,
  shown: Shown,
  newId: NewId,
): HookChange | null | "invalid" {
  const { input, output } = answer;
  const { change: member } = HOOK_POINT_RULES[shown.point];
  switch (member) {
    case undefined:
      return null;
    case "input.messages":
      return input?.messages ? changedMessages(input.messages, shown.input.messages ?? []) : null;
    case "input.tool_choice": {
      const { tool_choice } = input ?? {};
      const isSame = isSameJson(tool_choice ?? null, shown.input.tool_choice ?? null);
      return tool_choice === undefined || isSame ? null : { tool_choice };
    }
    case "input.tool_call": {
      const next = input?.tool_call?.input;
      const before = shown.input.tool_call?.input;
      // A hook in JavaScript gives back the double of a number that it did not change.
      if (next === undefined || isSameJson(withDoubles(next), withDoubles(before))) return null;
      if (shown.fitsTool?.(next) === false) return "invalid";
      return { tool_input: JSON.stringify(withDigitsOf(before, next)) };
    }
    case "input.block": {
      const text = input?.block?.text;
      return text === undefined || text === shown.input.block?.text ? null : { text };
    }
    case "output.blocks":
      return output
        ? changedBlocks(output, { point: shown.point, blocks: shown.output?.blocks ?? [] }, newId)
        : null;
    case "output.text": {
      const text = output?.text;
      return text === undefined || text === shown.output?.text ? null : { text };
    }
    default:
      return member satisfies never;
  }
}

function changedMessages(
  given: NonNullable<NonNullable<HookAnswer["input"]>["messages"]>,
  shown: readonly ShownMessage[],
): HookChange | null | "invalid" {
  const messages: { id: string; content: readonly ContentBlock[] }[] = [];
  for (const { id, content } of given) {
    const message = shown.find((one) => one.id === id);
    if (!message) return "invalid";
    const next = typeof content === "string" ? textContent(content, message) : content;
    if (isSameJson(next, message.content)) continue;
    const right = withRightMedia(next, message.content);
    if (!right) return "invalid";
    messages.push({ id, content: right });
  }
  return messages.length > 0 ? { messages } : null;
}

/** The blocks with canonical base64, but for what was shown. Null for data that cannot be read. */
function withRightMedia(
  content: readonly ContentBlock[],
  shown: readonly ContentBlock[],
): readonly ContentBlock[] | null {
  const right: ContentBlock[] = [];
  for (const block of content) {
    const isNew =
      block.type === "data" &&
      !shown.some((one) => one.type === "data" && isSameJson(one.source, block.source));
    const source = isNew ? putRight(block.source) : null;
    if (isNew && !source) return null;
    right.push(isNew && source ? { ...block, source } : block);
  }
  return right;
}

/** One text, in the place of the message's first block. */
function textContent(text: string, { id, content }: ShownMessage): readonly ContentBlock[] {
  const [first] = content;
  const created_at = first?.created_at ?? "";
  return [{ type: "text", text, id: first?.id ?? `${id}_0`, created_at, finished_at: created_at }];
}

/**
 * The question for the next hook of the point, with the change of this one. Blocks that have come or gone are read again
 * by `HookQuestion.blocks`.
 */
export function withChange<Question extends Shown>(
  question: Question,
  change: HookChange | undefined,
): Question {
  if (!change) return question;
  return {
    ...question,
    input: changedInput(question, change),
    ...(question.output && { output: changedOutput(question.output, change) }),
  };
}

function changedInput({ point, input }: Shown, change: HookChange): HookInput {
  const { messages, tool_choice, tool_input, text } = change;
  return {
    ...input,
    ...(messages && input.messages && { messages: replaceContents(input.messages, messages) }),
    ...(tool_choice !== undefined && { tool_choice }),
    ...(tool_input !== undefined &&
      input.tool_call && {
        tool_call: { ...input.tool_call, input: parseExact(tool_input) },
      }),
    ...(text !== undefined &&
      point === "pre_print" &&
      input.block && { block: { ...input.block, text } }),
  };
}

function changedOutput(output: HookOutput, { blocks, text }: HookChange): HookOutput {
  const texts = new Map(blocks?.map((block) => [block.id, block.text]));
  return {
    ...output,
    ...(output.blocks && {
      blocks: output.blocks.map((block) => {
        const next = texts.get(block.id);
        return block.type === "text" && next !== undefined ? { ...block, text: next } : block;
      }),
    }),
    ...(text !== undefined && { text }),
  };
}

/** Messages with the contents that hooks have given them. */
export function replaceContents<
  Message extends { readonly id: string; readonly content: readonly ContentBlock[] },
>(messages: readonly Message[], changed: NonNullable<HookChange["messages"]>): readonly Message[] {
  const contents = new Map(changed.map(({ id, content }) => [id, content as ContentBlock[]]));
  return messages.map((message) => {
    const content = contents.get(message.id);
    return content ? { ...message, content } : message;
  });
}
