// What the agent can do in the shop: two tools over HTTP, each request signed with a secret that the shop chose.
import { webhooks } from "@reprise/sdk";

import type { Answer, Route } from "./shop-server.ts";

interface ToolCall {
  readonly tool_call_id: string;
  readonly input: { readonly order_id: string; readonly amount?: string };
}

export interface Refund {
  readonly tool_call_id: string;
  readonly order_id: string;
  readonly amount: string;
}

const ORDERS: Readonly<Record<string, { readonly total: string; readonly report: string }>> = {
  "A-1003": {
    total: "72.90 EUR",
    report: "a ceramic teapot for 72.90 EUR, of which 12.90 EUR are for express delivery.",
  },
};

export class ShopTools {
  readonly #secret: string;
  readonly #refunds = new Map<string, Refund>();

  /** @param secret `whsec_…`: the tools do nothing for whoever cannot sign with it. */
  constructor(secret: string) {
    this.#secret = secret;
  }

  /** What was really paid back. */
  get refunds(): readonly Refund[] {
    return [...this.#refunds.values()];
  }

  readonly lookUpOrder: Route = async (body, headers) => {
    const { input } = await webhooks.unwrap<ToolCall>(body, headers, this.#secret);
    const order = ORDERS[input.order_id];
    return order ? output(order.report) : unknownOrder(input.order_id);
  };

  /** Money moves here. A call that comes twice, because its first answer was lost, moves it once. */
  readonly refundOrder: Route = async (body, headers) => {
    const call = await webhooks.unwrap<ToolCall>(body, headers, this.#secret);
    const { order_id } = call.input;
    const order = ORDERS[order_id];
    if (!order) return unknownOrder(order_id);
    const { tool_call_id } = call;
    const refund = this.#refunds.get(tool_call_id) ?? {
      tool_call_id,
      order_id,
      amount: call.input.amount ?? order.total,
    };
    this.#refunds.set(tool_call_id, refund);
    return output(`${refund.amount} for order ${order_id}.`);
  };
}

function output(text: string): Answer {
  return { status: 200, body: { output: text } };
}

/** A tool that worked and has bad news: the model should read it, so it is no HTTP error. */
function unknownOrder(orderId: string): Answer {
  return { status: 200, body: { output: `there is no order ${orderId}.`, state: "error" } };
}
