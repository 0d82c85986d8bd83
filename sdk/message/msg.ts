// A message as an object that takes events, as AgentScope's TypeScript package has it.
import {
  getContentBlocks,
  getFirstContentBlock,
  getTextContent,
  hasContentBlocks,
  type ContentBlockOf,
} from "../../protocol/messages/accessors.ts";
import {
  AssistantMsg as toAssistantMessage,
  SystemMsg as toSystemMessage,
  UserMsg as toUserMessage,
  type MessageContent,
  type MessageInit,
  type MessageOptions,
} from "../../protocol/messages/constructors.ts";
import { appendEvent } from "../../protocol/fold/append-event.ts";
import type { AgentEvent } from "../../protocol/events.ts";
import type { ContentBlock, ContentBlockType } from "../../protocol/messages/blocks.ts";
import type * as messages from "../../protocol/messages/messages.ts";
import type { Role } from "../../protocol/messages/role.ts";

const CONSTRUCTORS = {
  assistant: toAssistantMessage,
  system: toSystemMessage,
  user: toUserMessage,
};

/**
 * One message. Its data are its own enumerable members in the order of the wire, so `JSON.stringify` gives what the
 * platform stores, and it can be sent as a message.
 */
export class Msg implements messages.Msg {
  declare name: string;
  declare content: ContentBlock[];
  declare role: Role;
  declare id: string;
  declare metadata: Record<string, unknown>;
  /** ISO 8601, as all times. */
  declare created_at: string;
  declare usage: messages.Usage | null;
  declare finished_at: string | null;
  declare finished_reason: messages.FinishedReason | null;
  declare structured_output: Record<string, unknown> | null;
  declare error: messages.ErrorInfo | null;

  /**
   * @param init A new message, or a stored one.
   * @throws {TypeError} for blocks that its role may not have: users send text and data, the system text.
   */
  constructor({ role, ...init }: MessageInit & { readonly role: Role }) {
    if (!Object.hasOwn(CONSTRUCTORS, role)) {
      throw new TypeError(`no message has the role ${JSON.stringify(role)}`);
    }
    Object.assign(this, CONSTRUCTORS[role](init));
  }

  /**
   * Takes one event of the reply that writes this message: changes this object. Events of other replies and of types
   * that are not known change nothing. Give each event once and in order: a repeated delta is text twice. The blocks
   * that an event changes are new objects, so they can be compared by identity.
   *
   * @returns This message.
   */
  appendEvent(event: AgentEvent): this {
    return Object.assign(this, appendEvent(this, event));
  }

  /** The texts of all text blocks, joined; without text the JSON of the structured output, or null. */
  getTextContent(separator?: string): string | null {
    return getTextContent(this, separator);
  }

  /** The blocks of one type, of several types, or all of them, in order. */
  getContentBlocks(): ContentBlock[];
  getContentBlocks<Type extends ContentBlockType>(
    type: Type | readonly Type[],
  ): ContentBlockOf<Type>[];
  getContentBlocks(type?: ContentBlockType | readonly ContentBlockType[]): ContentBlock[] {
    return type === undefined ? getContentBlocks(this) : getContentBlocks(this, type);
  }

  /** The first block of this type, or null. */
  getFirstContentBlock<Type extends ContentBlockType>(type: Type): ContentBlockOf<Type> | null {
    return getFirstContentBlock(this, type);
  }

  /** Whether there is a block of this type, or of one of these, or any block at all. */
  hasContentBlocks(type?: ContentBlockType | readonly ContentBlockType[]): boolean {
    return hasContentBlocks(this, type);
  }
}

/** An agent's message: any block. Unfinished until `REPLY_END`. */
export class AssistantMsg extends Msg {
  constructor(init: MessageInit);
  constructor(name: string, content: MessageContent, options?: MessageOptions);
  constructor(first: MessageInit | string, content?: MessageContent, options?: MessageOptions) {
    super({ ...toInit(first, content, options), role: "assistant" });
  }
}

/** A user's message: text and data. @throws {TypeError} for other blocks. */
export class UserMsg extends Msg {
  constructor(init: MessageInit);
  constructor(name: string, content: MessageContent, options?: MessageOptions);
  constructor(first: MessageInit | string, content?: MessageContent, options?: MessageOptions) {
    super({ ...toInit(first, content, options), role: "user" });
  }
}

/** An instruction: text alone. @throws {TypeError} for other blocks. */
export class SystemMsg extends Msg {
  constructor(init: MessageInit);
  constructor(name: string, content: MessageContent, options?: MessageOptions);
  constructor(first: MessageInit | string, content?: MessageContent, options?: MessageOptions) {
    super({ ...toInit(first, content, options), role: "system" });
  }
}

function toInit(
  first: MessageInit | string,
  content: MessageContent = [],
  options: MessageOptions = {},
): MessageInit {
  return typeof first === "string" ? { ...options, name: first, content } : first;
}
