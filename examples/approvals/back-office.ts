// The shop's back office: receives webhooks about waiting calls, and answers them.
import { EventEmitter, once } from "node:events";

import {
  answerCallback,
  confirmEvent,
  readCallback,
  toolResultEvent,
  webhooks,
} from "@reprise/sdk";
import type { PendingCall, WebhookEvent, WebhookEventOf, WebhookEventType } from "@reprise/sdk";

import { StoryFailure } from "../connect.ts";
import type { Route } from "./shop-server.ts";

/** A webhook event that announces waiting calls. */
export type CallsEvent = WebhookEventOf<"confirmation.required" | "external_execution.required">;

/** The amount that the clerk approves: the teapot's 72.90 EUR without express delivery. */
export const ALLOWED_AMOUNT = "60.00 EUR";
export const LABEL = "RETURN-7741";
/** Milliseconds after which a webhook has failed to arrive; it takes a second. */
const PATIENCE_MS = 120_000;

export class BackOffice {
  /** The verified webhooks without duplicates, in order of arrival. */
  readonly heard: WebhookEvent[] = [];
  readonly #secret: string;
  readonly #seenIds = new Set<unknown>();
  readonly #arrivals = new EventEmitter();

  /** @param secret `whsec_…` from the creation of the endpoint. */
  constructor(secret: string) {
    this.#secret = secret;
  }

  /** Stores a webhook and acknowledges it at once. It is processed afterwards. */
  readonly receive: Route = async (body, headers) => {
    const event = await webhooks.unwrap(body, headers, this.#secret);
    const id = headers["webhook-id"];
    // A message whose acknowledgement was lost is sent again with the same id.
    if (!this.#seenIds.has(id)) {
      this.#seenIds.add(id);
      this.heard.push(event);
      this.#arrivals.emit("webhook");
    }
    return { status: 204 };
  };

  /** Resolves with the webhook of this type. @throws {StoryFailure} when it does not arrive. */
  async hear<Type extends WebhookEventType>(type: Type): Promise<WebhookEventOf<Type>> {
    const isIt = (event: WebhookEvent): event is WebhookEventOf<Type> => event.type === type;
    const signal = AbortSignal.timeout(PATIENCE_MS);
    for (;;) {
      const event = this.heard.find(isIt);
      if (event) {
        console.log(`\nBack office: "${type}" came in, and its signature fits`);
        return event;
      }
      try {
        await once(this.#arrivals, "webhook", { signal });
      } catch {
        throw new StoryFailure(`no "${type}" came in within ${PATIENCE_MS} ms`);
      }
    }
  }

  /**
   * The webhook announces calls without their inputs, which are read at its callback URL, a credential for these calls
   * only. The answer contains the hash of the input that was read, so that no other input can run.
   */
  async answer({ data: { callback_url } }: CallsEvent): Promise<void> {
    if (callback_url === null) throw new StoryFailure("the webhook has no address to answer at");
    const { reply_id, pending } = await readCallback(callback_url);
    for (const call of pending) {
      const { name, input } = call.tool_call;
      console.log(`Back office: the agent wants ${name} ${input}`);
      await answerCallback(callback_url, decide(reply_id, call));
    }
  }
}

/** Confirms with another amount than requested; or returns the label printer's result. */
function decide(replyId: string, call: PendingCall) {
  if (call.kind === "external_result") {
    console.log(`Back office: printed, ${LABEL}`);
    return toolResultEvent(replyId, [[call, `${LABEL}, to be handed in with the parcel.`]]);
  }
  const input = { ...(JSON.parse(call.tool_call.input) as object), amount: ALLOWED_AMOUNT };
  console.log(`Back office: yes, but with ${JSON.stringify(input)}`);
  return confirmEvent(replyId, [[call, { input }]]);
}
