// Checks after the story. Each passed check is printed; the first failed one ends the story.
import { isDeepStrictEqual } from "node:util";

import { answerCallback, ApiError, confirmEvent, getTextContent } from "@reprise/sdk";
import type { LoggedEvent, PendingCall, ReplyStatus, TenantSession } from "@reprise/sdk";

import { StoryFailure } from "../connect.ts";
import { ALLOWED_AMOUNT, LABEL, type BackOffice, type CallsEvent } from "./back-office.ts";
import type { Customer } from "./customer.ts";
import type { ShopServer } from "./shop-server.ts";
import type { ShopTools } from "./shop-tools.ts";

export interface Story {
  readonly session: TenantSession;
  readonly server: ShopServer;
  readonly tools: ShopTools;
  readonly office: BackOffice;
  readonly customer: Customer;
  /** The webhook that announced the refund. */
  readonly asked: CallsEvent;
  /** The reply's status each time the app had read all events. */
  readonly pauses: readonly (ReplyStatus | null)[];
}

/** @throws {StoryFailure} at the first failed check. */
export async function checkStory(story: Story): Promise<void> {
  const { session, tools, office, customer } = story;
  const { replyId, message } = customer.bookmark;

  check("the reply waited for a person, then for the printer, and came to its end", story.pauses, [
    "awaiting_permission",
    "awaiting_external_result",
    "completed",
  ]);

  const paid = tools.refunds.map(({ order_id, amount }) => [order_id, amount]);
  check(`the shop paid back once, and ${ALLOWED_AMOUNT}`, paid, [["A-1003", ALLOWED_AMOUNT]]);

  const answer = (message && getTextContent(message)) ?? "";
  check("the answer names the label", answer.includes(LABEL), true);

  const stored = await session.message(replyId);
  const held = JSON.stringify(message);
  check("the app holds the message that the platform stores", held, JSON.stringify(stored.message));

  const replayed: LoggedEvent[] = [];
  for await (const event of session.events({ replyId })) replayed.push(event);
  check("it saw every event of the reply once", customer.seen, replayed);

  const [decision] = (await session.decisions().page()).data.filter(
    ({ decided_by }) => decided_by.kind === "callback",
  );
  const recorded = decision && [decision.tool_name, decision.behavior, decision.edited_input];
  const edited = JSON.stringify({ order_id: "A-1003", amount: ALLOWED_AMOUNT });
  check("the record tells who allowed what", recorded, ["refund_order", "allow", edited]);

  const forged = await fetch(`${story.server.url}/webhooks`, { method: "POST", body: "{}" });
  check("a webhook that nobody signed is refused", forged.status, 401);
  check("the address takes no second answer", await refusalOf(story), "confirmation_used");

  const types = office.heard.map(({ type }) => type);
  check("the office heard of each pause and of the end, once", types, [
    "confirmation.required",
    "external_execution.required",
    "reply.completed",
  ]);
}

/** @returns why a second confirmation with a higher amount is refused; null when it is accepted. */
async function refusalOf({ asked }: Story): Promise<string | null> {
  const { callback_url, reply_id, calls } = asked.data;
  const [call] = calls;
  if (callback_url === null || !call) return null;
  const { tool_call_id: id, input_hash } = call;
  const known = { tool_call: { id }, input_hash } as PendingCall;
  try {
    await answerCallback(callback_url, confirmEvent(reply_id, [[known, {}]]));
    return null;
  } catch (error) {
    if (ApiError.isInstance(error)) return error.code;
    throw error;
  }
}

function check(claim: string, found: unknown, expected: unknown): void {
  if (isDeepStrictEqual(found, expected)) return console.log(`  ok  ${claim}`);
  const [one, other] = [found, expected].map((value) => JSON.stringify(value, null, 2));
  throw new StoryFailure(`  no  ${claim}\n\nexpected ${other}\n\nfound ${one}`);
}
