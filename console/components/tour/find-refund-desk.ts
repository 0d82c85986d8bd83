// The agent of the tour: one that is there, or a new one whose tools need no server.
import type { Agent, Reprise } from "../../../sdk/index.ts";

const MODEL = "refund-desk";
const NEWEST_AGENTS = 100;

const order_id = { type: "string", description: "The order's number, such as A-1001" };
const orderOnly = {
  type: "object",
  properties: { order_id },
  required: ["order_id"],
  additionalProperties: false,
};

/** The refund desk that `npm start` has made, one of an earlier tour, or a new one. */
export async function findRefundDesk(reprise: Reprise): Promise<Agent> {
  const { data } = await reprise.agents.list({ limit: NEWEST_AGENTS }).page();
  return data.find(isRefundDesk) ?? reprise.agents.create(refundDesk());
}

function isRefundDesk({ model, tools }: Agent): boolean {
  const names = new Set(tools.flatMap((tool) => ("name" in tool ? [tool.name] : [])));
  return (
    model.provider === "scripted" &&
    model.name === MODEL &&
    ["lookup_order", "refund_order", "print_label"].every((name) => names.has(name))
  );
}

/** All tools are external: the person in the tour answers their calls. A refund asks, since no rule allows it. */
function refundDesk(): Parameters<Reprise["agents"]["create"]>[0] {
  const allow = (tool_name: string) =>
    ({ tool_name, rule_content: null, behavior: "allow", source: "agent" }) as const;
  return {
    name: "Refund desk",
    system_prompt:
      "You are the refund desk of a small shop. Look an order up before you say anything about it.",
    model: { provider: "scripted", name: MODEL, parameters: { tokens_per_second: 40 } },
    tools: [
      {
        type: "external",
        name: "lookup_order",
        description: "What was ordered, and where it is.",
        input_schema: orderOnly,
      },
      {
        type: "external",
        name: "refund_order",
        description: "Pays an order back: in full, or the amount that is given.",
        input_schema: {
          ...orderOnly,
          properties: {
            order_id,
            amount: { type: "string", description: 'Such as "12.50 EUR"; all of it when left out' },
          },
        },
        confirmation_message: "Refund order {order_id}?",
      },
      {
        type: "external",
        name: "print_label",
        description: "Has the label printed with which the customer sends an order back.",
        input_schema: orderOnly,
      },
    ],
    permission: { mode: "default", rules: [allow("lookup_order"), allow("print_label")] },
  };
}
