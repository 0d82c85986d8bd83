// The conversation as a realtime provider has it, beside the one of the session: a provider keeps what it has heard, said
// and called itself, and is told the rest, each block once.
import type { VoiceSetup } from "../../../agent/voice/voice-model.ts";
import type { ContentBlock } from "../../../protocol/messages/blocks.ts";
import type { Msg } from "../../../protocol/messages/messages.ts";
import { isUntranscribed, speechOf } from "../../../protocol/voice/events.ts";

/** A block, with the message that it is in. */
export interface ConversationPiece {
  readonly message: Msg;
  readonly block: ContentBlock;
}

/** Speech whose words nobody has written down, in the history of a provider that has not heard it. */
const UNTRANSCRIBED = "(speech that was not transcribed)";

/** Texts that wait to be known again: those of the last call are, and what nobody heard is in no message. */
const MAX_SAID = 64;

const NOTHING: FeedMemory = { had: [], said: [], called: [] };

/** The pieces of a conversation that a provider can be told. Thoughts are of the model that had them. */
export function conversationPieces(messages: readonly Msg[]): readonly ConversationPiece[] {
  return messages.flatMap((message) =>
    message.content.flatMap((block) => {
      const told = toldBlock(message, block);
      return told ? { message, block: told } : [];
    }),
  );
}

/** A part of the conversation that a provider comes to next, in its order. */
export type FeedEntry =
  | ({ readonly type: "told" } & ConversationPiece)
  /** The provider has heard this message itself, and may have heard others since, which are not in the conversation yet. */
  | { readonly type: "heard"; readonly message: Msg };

/** The part of the conversation that a provider has, for a connection that goes on where an earlier one has ended. */
export interface FeedMemory {
  /** Keys of pieces, and ids of messages. */
  readonly had: readonly string[];
  readonly said: readonly string[];
  readonly called: readonly string[];
}

/** The feed of one provider connection. */
export class ConversationFeed {
  /** Keys of pieces, and ids of messages, that the provider has. */
  readonly #had: Set<string>;
  /** Texts that the provider has said. In the session they may be cut to what was heard. */
  readonly #said: string[];
  readonly #called: Set<string>;
  readonly #unheard: ReadonlySet<string>;

  /** @param setup The history is told when the connection is opened. @param memory Of the connection that this one goes on from. */
  constructor(
    { history, unheard = [] }: Pick<VoiceSetup, "history" | "unheard">,
    { had, said, called }: FeedMemory = NOTHING,
  ) {
    this.#unheard = new Set(unheard);
    const keys = conversationPieces(history).map(keyOf);
    this.#had = new Set([...had, ...keys, ...history.map(({ id }) => id)]);
    this.#said = [...said];
    this.#called = new Set(called);
  }

  get memory(): FeedMemory {
    return { had: [...this.#had], said: [...this.#said], called: [...this.#called] };
  }

  noteSaid(text: string): void {
    if (text === "") return;
    this.#said.push(text);
    if (this.#said.length > MAX_SAID) this.#said.shift();
  }

  noteCalled(callId: string): void {
    this.#called.add(callId);
  }

  /**
   * The entries since the last time. A message before the first that the provider has is not among them: it is the summary
   * of messages that have left the context, and that the provider still has.
   */
  take(messages: readonly Msg[]): readonly FeedEntry[] {
    const entries: FeedEntry[] = [];
    let hasMet = false;
    for (const message of messages) {
      const isSpeech = message.role === "user" && speechOf(message) !== null;
      const isHeard = isSpeech && !this.#unheard.has(message.id);
      // Messages that others have heard are in the history.
      if (isHeard && !this.#had.has(message.id)) {
        entries.push({ type: "heard", message });
        hasMet = true;
      }
      for (const piece of conversationPieces([message])) {
        const isHad = this.#has(piece) || (isHeard && piece.block.type === "text");
        if (!isHad) entries.push({ type: "told", ...piece });
        else if (!hasMet) entries.length = 0;
        hasMet ||= isHad;
        this.#had.add(keyOf(piece));
      }
      this.#had.add(message.id);
    }
    return entries;
  }

  #has(piece: ConversationPiece): boolean {
    const { message, block } = piece;
    if (this.#had.has(keyOf(piece))) return true;
    if (message.role !== "assistant") return false;
    if (block.type === "tool_call") return this.#called.has(block.id);
    return block.type === "text" && this.#hasSaid(block.text);
  }

  #hasSaid(text: string): boolean {
    const at = this.#said.findIndex((said) => said.startsWith(text));
    if (at === -1) return false;
    this.#said.splice(at, 1);
    return true;
  }
}

function toldBlock(message: Msg, block: ContentBlock): ContentBlock | null {
  if (block.type === "thinking") return null;
  if (block.type !== "text" || block.text !== "") return block;
  return isUntranscribed(message) ? { ...block, text: UNTRANSCRIBED } : null;
}

/** A call and its result have the same id. */
function keyOf({ message, block }: ConversationPiece): string {
  return `${message.id} ${block.type} ${block.id}`;
}
