// Constructors of messages: fill in defaults and check the role's rules. No zod: clients use this file.
import type { ContentBlockInput } from "./blocks.ts";
import { completeBlock } from "./complete-block.ts";
import { currentTimestamp, generateId } from "./defaults.ts";
import type { Msg } from "./messages.ts";
import type { Role } from "./role.ts";
import { findRoleViolation } from "./find-role-violation.ts";

/** A string means one text block. */
export type MessageContent = string | readonly ContentBlockInput[];

/** Optional members beyond name and content; the defaults are the schema's. */
export type MessageOptions = Partial<Omit<Msg, "name" | "content" | "role">>;

export interface MessageInit extends MessageOptions {
  readonly name: string;
  readonly content: MessageContent;
}

/**
 * A user's message: text and data blocks. Finished when created.
 * @throws {TypeError} on other blocks.
 */
export function UserMsg(init: MessageInit): Msg;
export function UserMsg(name: string, content: MessageContent, options?: MessageOptions): Msg;
export function UserMsg(
  first: MessageInit | string,
  content?: MessageContent,
  options?: MessageOptions,
): Msg {
  return createMessage("user", toInit(first, content, options));
}

/**
 * A system instruction: text blocks only. Finished when created.
 * @throws {TypeError} on other blocks.
 */
export function SystemMsg(init: MessageInit): Msg;
export function SystemMsg(name: string, content: MessageContent, options?: MessageOptions): Msg;
export function SystemMsg(
  first: MessageInit | string,
  content?: MessageContent,
  options?: MessageOptions,
): Msg {
  return createMessage("system", toInit(first, content, options));
}

/** An agent's message: any block. Unfinished until its reply ends, so `finished_at` is null. */
export function AssistantMsg(init: MessageInit): Msg;
export function AssistantMsg(name: string, content: MessageContent, options?: MessageOptions): Msg;
export function AssistantMsg(
  first: MessageInit | string,
  content?: MessageContent,
  options?: MessageOptions,
): Msg {
  return createMessage("assistant", toInit(first, content, options));
}

function toInit(
  first: MessageInit | string,
  content: MessageContent = [],
  options: MessageOptions = {},
): MessageInit {
  return typeof first === "string" ? { ...options, name: first, content } : first;
}

function createMessage(role: Role, init: MessageInit): Msg {
  const created_at = init.created_at ?? currentTimestamp();
  const written: readonly ContentBlockInput[] =
    typeof init.content === "string" ? [{ type: "text", text: init.content }] : init.content;
  const content = written.map((block) => completeBlock(block, created_at));
  const violation = findRoleViolation(role, content);
  if (violation) throw new TypeError(`content[${violation.index}]: ${violation.detail}`);
  const finishedWhenMade = role === "assistant" ? null : created_at;
  return {
    name: init.name,
    content,
    role,
    id: init.id ?? generateId(),
    metadata: init.metadata ?? {},
    created_at,
    usage: init.usage ?? null,
    finished_at: init.finished_at ?? finishedWhenMade,
    finished_reason: init.finished_reason ?? null,
    structured_output: init.structured_output ?? null,
    error: init.error ?? null,
  };
}
