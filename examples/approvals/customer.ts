// The customer's app: has a client token for one session, and loses its connection repeatedly.
import { connectSession } from "@reprise/sdk";
import type {
  FetchFunction,
  LoggedEvent,
  Msg,
  ReplyStatus,
  ReplyStream,
  SessionHandle,
} from "@reprise/sdk";

/** The place that the app stores on the device to resume after a restart. */
interface Bookmark {
  readonly replyId: string;
  readonly cursor: number;
  readonly message: Msg | null;
}

export interface CustomerOptions {
  readonly sessionId: string;
  readonly baseUrl: string;
  /** Called whenever the token has expired. A real app asks the shop's server. */
  readonly token: () => Promise<string>;
  /** The app's `fetch`, here with connections that break. */
  readonly fetch: FetchFunction;
}

export class Customer {
  /** All events that the app received. */
  readonly seen: LoggedEvent[] = [];
  readonly #options: CustomerOptions;
  #device = "";

  constructor(options: CustomerOptions) {
    this.#options = options;
  }

  get bookmark(): Bookmark {
    return JSON.parse(this.#device) as Bookmark;
  }

  async ask(question: string): Promise<ReplyStatus | null> {
    return this.#watch(this.#open().reply(question, { onConnectionChange: showConnection }));
  }

  /** Restarts the app with the stored bookmark only. */
  async comeBack(): Promise<ReplyStatus | null> {
    const { replyId, cursor, message } = this.bookmark;
    console.log(`\n  [the app is opened again, and goes on after event ${cursor}]`);
    const options = { after: cursor, message, onConnectionChange: showConnection };
    return this.#watch(this.#open().resumeReply(replyId, options));
  }

  #open(): SessionHandle {
    const { sessionId, ...options } = this.#options;
    return connectSession(sessionId, options);
  }

  async #watch(reply: ReplyStream): Promise<ReplyStatus | null> {
    for await (const event of reply) {
      this.seen.push(event);
      show(event);
    }
    const { id, cursor, status } = reply;
    this.#device = JSON.stringify({ replyId: id, cursor, message: reply.message() });
    if (status?.startsWith("awaiting")) {
      console.log(`\n  [${status} after event ${cursor}: the app is closed]`);
    }
    return status;
  }
}

function show(event: LoggedEvent): void {
  if (event.type === "THINKING_BLOCK_START") process.stdout.write("\n  (thinks) ");
  else if (event.type === "TOOL_CALL_START") {
    process.stdout.write(`\n  (calls ${event.tool_call_name}) `);
  } else if (event.type === "TOOL_RESULT_END") process.stdout.write(`\n  -> ${event.state}`);
  else if (event.type === "TEXT_BLOCK_START") process.stdout.write("\n\nDesk: ");
  else if (event.type === "REPLY_END") process.stdout.write("\n");
  else if (
    event.type === "THINKING_BLOCK_DELTA" ||
    event.type === "TOOL_CALL_DELTA" ||
    event.type === "TEXT_BLOCK_DELTA"
  ) {
    process.stdout.write(event.delta);
  }
}

function showConnection(state: string): void {
  if (state === "reconnecting") process.stdout.write(" [tunnel] ");
}
