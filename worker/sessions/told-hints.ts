// Hints of a tenant's back end as messages: each is one of its own, which the next model call reads.
import type { ReplyStart } from "../../durable-objects/api/session-api.ts";
import { completeBlock } from "../../protocol/messages/complete-block.ts";
import type { ToldEvent } from "../../protocol/told/told-event.ts";
import { TOLD_BY } from "../../protocol/told/events.ts";
import type { TenantHint } from "../../protocol/told/told-hint.ts";
import { newId } from "../new-id.ts";

type Input = ReplyStart["input"];

/** The events for readers, and the messages with a message of each hint behind them. */
export function splitTold(
  messages: Input | undefined,
  told: readonly (ToldEvent | TenantHint)[],
): { readonly messages: Input | undefined; readonly events: readonly ToldEvent[] } {
  const hints = told.filter((event) => event.type === "HINT_BLOCK");
  const events = told.filter((event) => event.type !== "HINT_BLOCK");
  if (hints.length === 0) return { messages, events };
  const list = [
    ...(messages === undefined ? [] : messageList(messages)),
    ...hints.map(hintMessage),
  ];
  return { messages: list as Input, events };
}

/** An input as messages: a text and a list of blocks are one. */
function messageList(input: Input): readonly object[] {
  if (typeof input === "string") return [{ content: input }];
  if (!Array.isArray(input)) return [input];
  const items: readonly object[] = input;
  return items.every((item) => "content" in item) ? items : [{ content: items }];
}

/** The mark of who told it is in the block, which no message of a client can have. */
function hintMessage({ hint, source, trusted }: TenantHint): object {
  const teller = `tenant:${source}`;
  const now = new Date().toISOString();
  const id = newId("blk");
  const metadata = { [TOLD_BY]: { kind: "tenant" } };
  return {
    role: "assistant",
    name: teller,
    content: [completeBlock({ type: "hint", id, hint, source: teller, metadata }, now)],
    metadata: trusted ? {} : { untrusted: { tool_name: teller, tool_call_id: id } },
  };
}
