// Media of a conversation for which a model may have refused a request.
import type { ContentBlock, DataBlock } from "../../protocol/messages/blocks.ts";
import type { Msg } from "../../protocol/messages/messages.ts";
import { dataIn } from "./data-blocks.ts";

/** Replies that are asked about: each is a read or two of the session's tables. */
const MAX_ASKED_REPLIES = 100;
/** Types of media that no wire sends as bytes. */
const UNSENT = /^(?:video|text)\//i;

/**
 * The media that were in no request which the model has answered. When there is none, those of which that is not known,
 * and addresses elsewhere, which may lead to something else than before, or nowhere. Media that the model has answered
 * is older than something that it has written.
 * @param hasAnswered As `MediaMemory.hasAnswered`, for one model.
 */
export function suspectMedia(
  messages: readonly Msg[],
  hasAnswered: (message: Msg) => boolean | null,
): readonly DataBlock[] {
  const unproven: DataBlock[] = [];
  const doubtful: DataBlock[] = [];
  let asked = 0;
  let proof = "none" as "none" | "doubtful" | "certain";
  for (const message of messages.toReversed()) {
    const { content } = message;
    const last = message.role === "assistant" ? content.findLastIndex(isOfModel) : -1;
    const isProof = last !== -1 && proof !== "certain";
    const answered: boolean | null = isProof && hasAnsweredIn(message);
    collect(content.slice(last + 1));
    if (answered !== false) proof = answered ? "certain" : "doubtful";
    collect(content.slice(0, last + 1));
  }
  return (unproven.length > 0 ? unproven : doubtful).toReversed();

  function hasAnsweredIn(message: Msg): boolean | null {
    asked += 1;
    return asked > MAX_ASKED_REPLIES ? null : hasAnswered(message);
  }

  function collect(blocks: readonly ContentBlock[]): void {
    for (const block of blocks.flatMap(dataIn).toReversed()) {
      if (UNSENT.test(block.source.media_type)) continue;
      if (proof === "none") unproven.push(block);
      else if (proof === "doubtful" || isElsewhere(block)) doubtful.push(block);
    }
  }
}

/** Results and hints come between the model's own blocks. */
function isOfModel({ type }: ContentBlock): boolean {
  return type !== "tool_result" && type !== "hint";
}

function isElsewhere({ source }: DataBlock): boolean {
  return source.type === "url" && /^https?:/i.test(source.url);
}
