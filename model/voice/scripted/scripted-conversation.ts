// The conversation as the scripted voice has it: items in order, as realtime providers keep them.
import { AssistantMsg, UserMsg } from "../../../protocol/messages/constructors.ts";
import type { ContentBlock } from "../../../protocol/messages/blocks.ts";
import type { Msg } from "../../../protocol/messages/messages.ts";
import { speechOf } from "../../../protocol/voice/events.ts";
import { conversationPieces, type FeedEntry } from "../realtime/conversation-feed.ts";

interface Item {
  readonly id: string;
  readonly message: Msg;
  block: ContentBlock;
  /** Of what the voice has said; 0 for all else. */
  audioMs: number;
}

/** A turn of the user as the voice has understood it. */
export interface HeardTurn {
  readonly item_id: string;
  readonly transcript: string;
  readonly ms: number;
}

/** A refusal, in the words and with the code of OpenAI's. */
export interface ItemRefusal {
  readonly code: string;
  readonly message: string;
}

export class ScriptedConversation {
  #items: Item[];
  /** Turns whose messages have not taken their places. */
  #heard: HeardTurn[] = [];
  readonly #forgotten = new Set<string>();

  constructor(history: readonly Msg[]) {
    this.#items = conversationPieces(history).map(({ message, block }) => itemOf(message, block));
  }

  hear(turn: HeardTurn): void {
    this.#heard.push(turn);
  }

  take(entries: readonly FeedEntry[]): void {
    for (const entry of entries) {
      if (entry.type === "told") this.#items.push(itemOf(entry.message, entry.block));
      else this.#place(entry.message);
    }
  }

  /** The message that the blocks of a response are in. */
  begin(responseId: string): Msg {
    return AssistantMsg("assistant", [], { id: responseId });
  }

  /** The item of a block that the voice makes; it may grow. */
  add(message: Msg, id: string, block: ContentBlock): void {
    this.#items.push({ ...itemOf(message, block), id });
  }

  change(id: string, block: ContentBlock, audioMs = 0): void {
    const item = this.#find(id);
    if (item) Object.assign(item, { block, audioMs });
  }

  /** Items of a response that has failed. Who takes them out, too, is right. */
  forget(message: Msg): void {
    for (const { id, message: own } of this.#items) {
      if (own.id === message.id) this.#forgotten.add(id);
    }
    this.#items = this.#items.filter((item) => item.message.id !== message.id);
  }

  /** For the model that says what comes next. */
  messages(): readonly Msg[] {
    const messages: Msg[] = [];
    for (const { message, block } of this.#items) {
      const last = messages.at(-1);
      if (last?.id !== message.id) messages.push({ ...message, content: [block] });
      else messages[messages.length - 1] = { ...last, content: [...last.content, block] };
    }
    return messages;
  }

  truncate(id: string, playedMs: number, text: string): ItemRefusal | null {
    const item = this.#find(id);
    if (!item) return notFound(id);
    if (item.block.type !== "text" || item.audioMs === 0 || playedMs <= 0) {
      return {
        code: "unsupported_content_type",
        message: "Only model output audio messages can be truncated",
      };
    }
    if (playedMs > item.audioMs) {
      const message = `Audio content of ${item.audioMs}ms is already shorter than ${playedMs}ms`;
      return { code: "invalid_value", message };
    }
    item.block = { ...item.block, text };
    item.audioMs = playedMs;
    return null;
  }

  delete(id: string): ItemRefusal | null {
    if (this.#forgotten.delete(id)) return null;
    if (!this.#find(id)) return notFound(id);
    this.#items = this.#items.filter((item) => item.id !== id);
    return null;
  }

  /** The turn is the oldest one of the message's length: others were never placed. */
  #place(message: Msg): void {
    const ms = speechOf(message)?.ms;
    const fitting = this.#heard.findIndex((turn) => turn.ms === ms);
    const at = Math.max(fitting, 0);
    const turn = this.#heard[at];
    this.#heard = this.#heard.slice(at + 1);
    if (!turn) return;
    const [block] = UserMsg("user", turn.transcript).content;
    if (block) this.#items.push({ ...itemOf(message, block), id: turn.item_id });
  }

  #find(id: string): Item | undefined {
    return this.#items.find((item) => item.id === id);
  }
}

function itemOf(message: Msg, block: ContentBlock): Item {
  return { id: block.id, message, block, audioMs: 0 };
}

function notFound(id: string): ItemRefusal {
  return { code: "item_not_found", message: `Item with item_id not found: ${id}` };
}
