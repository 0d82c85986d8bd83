// The shop's tools for the agent. Each step is recorded in the shared state (the case file).
import type { JsonPatch } from "@reprise/sdk";

interface ToolCall {
  readonly tool_call_id: string;
  readonly input: { readonly order_id: string; readonly amount?: string };
}

export interface Refund {
  readonly order_id: string;
  readonly amount: string;
}

/** A Map rather than an object, because a model may ask for any order, such as "constructor". */
const TOTALS: ReadonlyMap<string, string> = new Map([["A-1003", "72.90 EUR"]]);

export class ShopTools {
  readonly #note: (patch: JsonPatch) => Promise<unknown>;
  /** By call id, so that a repeated call refunds once. */
  readonly #refunds = new Map<string, Refund>();

  /** @param note Patches the case file. */
  constructor(note: (patch: JsonPatch) => Promise<unknown>) {
    this.#note = note;
  }

  /** The refunds made. */
  get refunds(): readonly Refund[] {
    return [...this.#refunds.values()];
  }

  async lookUpOrder({ input: { order_id } }: ToolCall) {
    const total = TOTALS.get(order_id);
    if (!total) return unknownOrder(order_id);
    await this.#note([
      { op: "add", path: "/order", value: { id: order_id, item: "ceramic teapot", total } },
      { op: "add", path: "/status", value: "broken on arrival" },
    ]);
    return {
      output: `a ceramic teapot for ${total}, of which 12.90 EUR are for express delivery.`,
    };
  }

  async refundOrder({ tool_call_id, input: { order_id, amount } }: ToolCall) {
    const total = TOTALS.get(order_id);
    if (!total) return unknownOrder(order_id);
    const refund = this.#refunds.get(tool_call_id) ?? { order_id, amount: amount ?? total };
    this.#refunds.set(tool_call_id, refund);
    await this.#note([
      { op: "add", path: "/status", value: "refunded" },
      { op: "add", path: "/refunded", value: refund.amount },
    ]);
    return { output: `${refund.amount} for order ${order_id}.` };
  }
}

/** A regular answer rather than an HTTP error, so that the model reads it. */
function unknownOrder(orderId: string) {
  return { output: `there is no order ${orderId}.`, state: "error" as const };
}
