// The shop's tools: two HTTP tools whose requests are signed with the shop's secret.
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

/** A Map rather than an object, because a model may ask for any order, such as "constructor". */
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
  /** By call. */
  readonly #refunds = new Map<string, Refund>();

  /** @param secret `whsec_…`: requests without a valid signature are refused. */
  constructor(secret: string) {
    this.#secret = secret;
  }

  /** The refunds made. */
  get refunds(): readonly Refund[] {
    return [...this.#refunds.values()];
  }

  readonly lookUpOrder: Route = async (body, headers) => {
    const { input } = await webhooks.unwrap<ToolCall>(body, headers, this.#secret);
    const order = ORDERS.get(input.order_id);
    return order ? output(order.report) : unknownOrder(input.order_id);
  };

  /** Makes the refund. Idempotent: a call that is repeated after a lost answer refunds once. */
  readonly refundOrder: Route = async (body, headers) => {
    const { input } = await webhooks.unwrap<ToolCall>(body, headers, this.#secret);
    const { order_id } = input;
    const order = ORDERS.get(order_id);
    if (!order) return unknownOrder(order_id);
    // The signed `webhook-id` is unique per call and session; call ids alone may repeat in another session.
    const key = String(headers["webhook-id"]);
    const refund = this.#refunds.get(key) ?? { order_id, amount: input.amount ?? order.total };
    this.#refunds.set(key, refund);
    return output(`${refund.amount} for order ${order_id}.`);
  };
}

function output(text: string): Answer {
  return { status: 200, body: { output: text } };
}

/** A regular answer rather than an HTTP error, so that the model reads it. */
function unknownOrder(orderId: string): Answer {
  return { status: 200, body: { output: `there is no order ${orderId}.`, state: "error" } };
}
