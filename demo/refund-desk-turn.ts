// The demo's refund desk, played by the scripted model: it looks orders up, refunds them when the customer asks for
// that, has the label printed, and reports. A function of the conversation alone, so that the same conversation gets
// the same answer.
import type { ModelRequest } from "../agent/ports.ts";
import type { ToolResultBlock } from "../protocol/messages/blocks.ts";
import { STRUCTURED_OUTPUT_TOOL } from "../protocol/schemas/structured-output.ts";
import type { ScriptedPrompt } from "../model/scripted/read-prompt.ts";
import { consolidationTurn } from "./consolidation-turn.ts";
import { fillSchema } from "./fill-schema.ts";
import { recordingTurn } from "./recording-turn.ts";
import type { DecideTurn, ScriptedTurn, TurnPart } from "../model/scripted/scripted-turn.ts";

const ORDER_ID = /\b[A-Z]{1,3}-\d{3,8}\b/gi;
const WANTS_REFUND = /\brefund|money back|\breturn\b|reimburse/i;

/** When the request asks for structured output, the final text is its content. */
export const refundDeskTurn: DecideTurn = (request, talk) => {
  const aside = recordingTurn(request) ?? consolidationTurn(request);
  if (aside) return aside;
  const turn = deskTurn(request, talk);
  const form = request.tools.find((tool) => tool.name === STRUCTURED_OUTPUT_TOOL);
  if (!form) return turn;
  const isAtWork = turn.parts.some((part) => part.type === "call");
  if (isAtWork && request.tool_choice === undefined) return turn;
  const text = turn.parts.map((part) => (part.type === "text" ? part.text : "")).join("");
  const order_ids = findOrders(talk);
  const output = fillSchema(form.input_schema, { answer: text, order_ids, ...summary(order_ids) });
  return { parts: [call(form.name, output)] };
};

/** The desk's summary of a conversation. */
function summary(orders: readonly string[]): Readonly<Record<string, unknown>> {
  const task_overview = "A customer talks to the refund desk.";
  const current_state =
    orders.length > 0 ? `Orders named: ${list(orders)}.` : "No order was named.";
  // Also by the names of AgentScope's example of a summary of one's own.
  const own = { main_topic: task_overview, key_points: current_state, pending_tasks: "None." };
  return { task_overview, current_state, ...own };
}

function deskTurn(request: ModelRequest, talk: ScriptedPrompt): ScriptedTurn {
  const orders = findOrders(talk);
  const hasTool = (name: string) => request.tools.some((tool) => tool.name === name);
  if (orders.length === 0) return say(greeting(talk));
  if (!hasTool("lookup_order")) {
    return say(`I cannot look up ${list(orders)}: this desk has no order system yet.`);
  }

  const lookups = resultsOf(talk, "lookup_order");
  if (lookups.length === 0) {
    return {
      parts: [
        think(`The customer asks about ${list(orders)}. I look that up before I promise anything.`),
        ...orders.map((order_id) => call("lookup_order", { order_id })),
      ],
    };
  }
  const found = orders.filter((_, index) => lookups[index]?.state === "success");
  const wantsRefund = WANTS_REFUND.test(talk.userText) && found.length > 0;
  const refunds = resultsOf(talk, "refund_order");
  if (wantsRefund && hasTool("refund_order") && refunds.length === 0) {
    return {
      parts: [
        think(`${list(found)} can be refunded. That moves money, so a person has a say in it.`),
        ...found.map((order_id) => call("refund_order", { order_id })),
      ],
    };
  }
  const isRefunded = refunds.some((result) => result.state === "success");
  const labels = resultsOf(talk, "print_label");
  if (isRefunded && hasTool("print_label") && labels.length === 0) {
    return { parts: found.map((order_id) => call("print_label", { order_id })) };
  }
  return say(answer(orders, lookups, refunds, labels));
}

function findOrders({ userText, earlierUserText }: ScriptedPrompt): readonly string[] {
  const named = userText.match(ORDER_ID) ?? earlierUserText.match(ORDER_ID)?.slice(-1) ?? [];
  return [...new Set(named.map((id) => id.toUpperCase()))];
}

function greeting({ attachments }: ScriptedPrompt): string {
  const seen = attachments.length > 0 ? `Thank you for the ${list(attachments)}. ` : "";
  return `${seen}This is the refund desk. Tell me the number of your order, for example A-1001, and I see what I can do.`;
}

function answer(
  orders: readonly string[],
  lookups: readonly ToolResultBlock[],
  refunds: readonly ToolResultBlock[],
  labels: readonly ToolResultBlock[],
): string {
  const lines = orders.map((order, index) => {
    const lookup = lookups[index];
    if (lookup?.state === "success") return `Here is what I know about ${order}: ${textOf(lookup)}`;
    return `I could not look up ${order}: ${lookup ? textOf(lookup) : "there was no answer"}`;
  });
  for (const refund of refunds) {
    lines.push(
      refund.state === "success"
        ? `The refund is on its way: ${textOf(refund)}`
        : `The refund was not made: ${textOf(refund)}`,
    );
  }
  for (const label of labels) {
    lines.push(label.state === "success" ? `Your shipping label: ${textOf(label)}` : textOf(label));
  }
  return `${lines.join("\n")}\nIs there anything else that I can do for you?`;
}

function resultsOf({ results }: ScriptedPrompt, name: string): readonly ToolResultBlock[] {
  return results.filter((result) => result.name === name);
}

function textOf({ output }: ToolResultBlock): string {
  if (typeof output === "string") return output;
  return output.map((block) => (block.type === "text" ? block.text : "(attachment)")).join(" ");
}

function list(words: readonly string[]): string {
  return words.join(" and ");
}

function say(text: string): ScriptedTurn {
  return { parts: [{ type: "text", text }] };
}

function think(text: string): TurnPart {
  return { type: "thinking", text };
}

function call(name: string, input: Readonly<Record<string, unknown>>): TurnPart {
  return { type: "call", name, input: JSON.stringify(input) };
}
