// Questions of a server of the older era to a person, on the open stream of a call: one at a time is shown, and its
// answer is posted while the stream continues.
import { readInputRequest } from "../../agent/inputs/read-input-request.ts";
import type { StopSignal } from "../../agent/ports.ts";
import type { InputRequest } from "../../protocol/mcp/elicitation.ts";
import type { InputResponse, InputResponses } from "../../protocol/mcp/events.ts";
import type { CallDeadline } from "./call-deadline.ts";
import type { McpNotice } from "./mcp-outcome.ts";
import type { McpPeople } from "./mcp-people.ts";

/** JSON-RPC: the parameters of a request are not as they have to be. */
const INVALID_PARAMS = -32_602;
/** The key of the one question that is shown. */
export const HELD_KEY = "input";

type Request = Extract<McpNotice, { kind: "request" }>;
type Answer =
  | { readonly result: InputResponse }
  | { readonly error: { code: number; message: string } };

export interface HeldAsksContext {
  /** Null where nobody can be asked: each question is answered `cancel`. */
  readonly people: McpPeople | null;
  readonly deadline: CallDeadline;
  readonly stop: StopSignal;
  /** Posts the answer to a request of the server; does not wait. */
  readonly answer: (id: Request["id"], outcome: Answer) => void;
  /** A question is shown: nothing else is held open meanwhile. */
  readonly onAsk?: (this: void) => void;
  /** Called when the question was answered: before the server is told. */
  readonly onAnswered?: (this: void) => Promise<void>;
  /** Called when nobody could be asked. */
  readonly noteUnasked?: () => void;
}

interface Waiting {
  readonly id: Request["id"];
  readonly request: InputRequest;
}

export class HeldAsks {
  readonly #context: HeldAsksContext;
  #queue: Waiting[] = [];
  #open: Waiting | null = null;
  #answered: Promise<InputResponses | null> | null = null;

  constructor(context: HeldAsksContext) {
    this.#context = context;
  }

  take({ id, params }: Request): void {
    const { people, answer, noteUnasked } = this.#context;
    const read = readInputRequest(params);
    if (read.type === "unusable") {
      const message = `the platform cannot show this: it ${read.problem}`;
      answer(id, { error: { code: INVALID_PARAMS, message } });
    } else if (read.type === "secret") answer(id, { result: { action: "decline" } });
    else if (people) this.#queue.push({ id, request: read.request });
    else {
      noteUnasked?.();
      answer(id, { result: { action: "cancel" } });
    }
  }

  /** The question to show now; null when there is none, or one is open. The time of the call stands still meanwhile. */
  next(): InputRequest | null {
    if (this.#open) return null;
    this.#open = this.#queue.shift() ?? null;
    if (this.#open) {
      this.#context.deadline.hold();
      this.#context.onAsk?.();
    }
    return this.#open?.request ?? null;
  }

  /** The question is in the log. */
  wait(): void {
    const { people, stop } = this.#context;
    this.#answered = people?.untilAnswered(stop) ?? null;
  }

  /** The server's next message; null when the open question was answered before. */
  async race<Turn>(next: Promise<Turn>): Promise<Turn | null> {
    const answered = this.#answered;
    if (!answered) return next;
    const first = await Promise.race([
      next.then((turn) => ({ turn })),
      answered.then((responses) => ({ responses })),
    ]);
    if ("turn" in first) return first.turn;
    this.#settle(first.responses?.[HELD_KEY] ?? { action: "cancel" });
    return null;
  }

  /** The call is over: what was not answered is cancelled. */
  close(): void {
    for (const { id } of this.#queue) this.#cancel(id);
    this.#queue = [];
    if (this.#open) this.#cancel(this.#open.id);
    this.#open = null;
    this.#answered = null;
  }

  #settle(result: InputResponse): void {
    const { answer, onAnswered } = this.#context;
    const id = this.#open?.id;
    if (id !== undefined && onAnswered) void onAnswered().then(() => answer(id, { result }));
    else if (id !== undefined) answer(id, { result });
    this.#open = null;
    this.#answered = null;
    this.#context.deadline.resume();
  }

  #cancel(id: Request["id"]): void {
    this.#context.answer(id, { result: { action: "cancel" } });
  }
}
