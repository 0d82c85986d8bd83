import type { Reply } from "../protocol/api/replies.ts";
import { REPLY_WAIT_MS } from "../protocol/limits.ts";
import type { RequestOptions } from "./api-request.ts";
import type { ListQuery, Paged } from "./paged.ts";
import { withMessageIds, type ReplyInput, type StructuredSchema } from "./reply-input.ts";
import type { Transport } from "./transport.ts";

export interface ReplyCreateOptions extends RequestOptions {
  /** Answer at once, with the reply as it begins. Otherwise when it has ended or waits, or after 120 s. */
  readonly background?: boolean;
  /** What to do when a reply runs or waits already; default `reject`. */
  readonly onBusy?: "reject" | "interrupt";
  /** JSON Schema of an object that the reply has to fill in; null for a text where the agent has one of its own. */
  readonly structuredSchema?: StructuredSchema | null;
}

/** The replies of one session, without streams. */
export class Replies {
  readonly #transport: Transport;
  readonly #sessionId: string;

  constructor(transport: Transport, sessionId: string) {
    this.#transport = transport;
    this.#sessionId = sessionId;
  }

  /** Starts a reply. Its `status` is `running` when the answer did not wait for its end. */
  create(
    input: ReplyInput,
    { background, onBusy, structuredSchema, signal }: ReplyCreateOptions = {},
  ): Promise<Reply> {
    const { timeoutMs } = this.#transport.settings;
    return this.#transport.call({
      method: "POST",
      path: ["sessions", this.#sessionId, "replies"],
      body: {
        input: withMessageIds(input),
        background,
        on_busy: onBusy,
        structured_schema: structuredSchema,
      },
      timeoutMs: background ? timeoutMs : REPLY_WAIT_MS + timeoutMs,
      signal,
    });
  }

  /** Newest first. */
  list(query?: ListQuery, options?: RequestOptions): Paged<Reply> {
    return this.#transport.list(["sessions", this.#sessionId, "replies"], { ...query }, options);
  }

  get(replyId: string, options?: RequestOptions): Promise<Reply> {
    return this.#transport.get(["sessions", this.#sessionId, "replies", replyId], options);
  }
}
