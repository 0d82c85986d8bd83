// Where the shop hears that the agent waits for somebody, and where that somebody answers.
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

/** A webhook with which calls that wait are announced. */
export type CallsEvent = WebhookEventOf<"confirmation.required" | "external_execution.required">;

/** Express delivery is not paid back: of the teapot's 72.90 EUR, this is what the clerk allows. */
export const ALLOWED_AMOUNT = "60.00 EUR";
export const LABEL = "RETURN-7741";
/** A webhook comes within a second. When none does, something is wrong that waiting does not mend. */
const PATIENCE_MS = 120_000;

export class BackOffice {
  /** Each webhook that was believed, once, in the order in which they came. */
  readonly heard: WebhookEvent[] = [];
  readonly #secret: string;
  readonly #seenIds = new Set<unknown>();
  readonly #arrivals = new EventEmitter();

  /** @param secret `whsec_…`, which the answer to the endpoint's creation showed. */
  constructor(secret: string) {
    this.#secret = secret;
  }

  /** Takes a webhook down and says so at once. What is to be done about it comes afterwards. */
  readonly receive: Route = async (body, headers) => {
    const event = await webhooks.unwrap(body, headers, this.#secret);
    const id = headers["webhook-id"];
    // A message whose answer was lost comes again, with the same id.
    if (!this.#seenIds.has(id)) {
      this.#seenIds.add(id);
      this.heard.push(event);
      this.#arrivals.emit("webhook");
    }
    return { status: 204 };
  };

  /** The webhook of this type, as soon as it is there. @throws {StoryFailure} when it does not come. */
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
   * The webhook says that something waits, and not what: that is read at its address, which is a key to these calls and
   * to nothing else. The hash of what was read goes back with the answer, so nothing but that can run.
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

/** A person's yes, to another amount than the agent wanted; or what the label printer says. */
function decide(replyId: string, call: PendingCall) {
  if (call.kind === "external_result") {
    console.log(`Back office: printed, ${LABEL}`);
    return toolResultEvent(replyId, [[call, `${LABEL}, to be handed in with the parcel.`]]);
  }
  const input = { ...(JSON.parse(call.tool_call.input) as object), amount: ALLOWED_AMOUNT };
  console.log(`Back office: yes, but with ${JSON.stringify(input)}`);
  return confirmEvent(replyId, [[call, { input }]]);
}
