// What the agent can do in the shop: two tools over HTTP, each request signed with a secret that the shop chose.
import { webhooks } from "@reprise/sdk";

import type { Answer, Route } from "./shop-server.ts";

interface ToolCall {
  readonly input: { readonly order_id: string; readonly amount?: string };
}

export interface Refund {
  readonly order_id: string;
  readonly amount: string;
}

interface Order {
  readonly total: string;
  readonly report: string;
}

/** A map: a model may ask for any number, "constructor" too. */
const ORDERS: ReadonlyMap<string, Order> = new Map([
  [
    "A-1003",
    {
      total: "72.90 EUR",
      report: "a ceramic teapot for 72.90 EUR, of which 12.90 EUR are for express delivery.",
    },
  ],
]);

export class ShopTools {
  readonly #secret: string;
  /** By the call that they were made for. */
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
    const order = ORDERS.get(input.order_id);
    return order ? output(order.report) : unknownOrder(input.order_id);
  };

  /** Money moves here. A call that comes twice, because its first answer was lost, moves it once. */
  readonly refundOrder: Route = async (body, headers) => {
    const { input } = await webhooks.unwrap<ToolCall>(body, headers, this.#secret);
    const { order_id } = input;
    const order = ORDERS.get(order_id);
    if (!order) return unknownOrder(order_id);
    // Signed, and of this call in this session alone; the id of a call may come again in another session.
    const key = String(headers["webhook-id"]);
    const refund = this.#refunds.get(key) ?? { order_id, amount: input.amount ?? order.total };
    this.#refunds.set(key, refund);
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
