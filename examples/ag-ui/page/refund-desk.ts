// The conversation of the page, without anything of a page in it: an agent of AG-UI, and a tool that the page has.
import { buildResumeArray, randomUUID } from "@ag-ui/client";
import type { AgentSubscriber, Interrupt, Message, RunAgentParameters, Tool } from "@ag-ui/client";
import { RepriseAgent } from "@reprise/sdk/ag-ui";

export interface RefundDeskOptions {
  readonly baseUrl: string;
  readonly agentId: string;
  readonly sessionId: string;
  /** Asked whenever the token has run out. */
  readonly token: () => Promise<string>;
  /** Something is to be shown anew. */
  readonly onChange: () => void;
}

/** What a person says to an interrupt. */
export interface Decision {
  readonly isApproved: boolean;
  /** Instead of the amount that was asked about. */
  readonly amount?: string;
}

/** A call of a tool, as it is shown. */
export interface ShownCall {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** Out of the input; empty where it has none. */
  readonly order: string;
  readonly amount: string;
}

/** The model may have labels printed, and the page is where the printer is. */
const PRINT_LABEL: Tool = {
  name: "print_label",
  description: "Prints the label with which the customer sends an order back.",
  parameters: {
    type: "object",
    properties: { order_id: { type: "string" } },
    required: ["order_id"],
  },
};

export class RefundDesk {
  readonly agent: RepriseAgent;
  /** How the connection was, one after the other. */
  readonly connections: string[] = [];
  isBusy = false;
  /** Why the last run failed. */
  failure: string | null = null;
  readonly #onChange: () => void;

  constructor({ onChange, ...options }: RefundDeskOptions) {
    this.#onChange = onChange;
    this.agent = new RepriseAgent({
      ...options,
      // What is known of the customer. The agent and the shop see it too.
      initialState: { customer: "Kim Lee" },
      onConnectionChange: (state) => {
        this.connections.push(state);
        onChange();
      },
    });
    this.agent.subscribe({ onMessagesChanged: onChange, onStateChanged: onChange });
  }

  /** A page that is opened, or opened again. */
  open(): Promise<void> {
    return this.#work((listener) => this.agent.connectAgent({}, listener));
  }

  ask(question: string): Promise<void> {
    this.agent.addMessage({ id: randomUUID(), role: "user", content: question });
    return this.#work((listener) => this.#run({}, listener));
  }

  /** All that the agent waits for is answered at once. @param decide Asked for each interrupt. */
  answer(decide: (interrupt: Interrupt) => Decision): Promise<void> {
    const interrupts = this.agent.pendingInterrupts;
    const answers = interrupts.map((interrupt) => {
      const payload = this.#payload(interrupt, decide(interrupt));
      return [interrupt.id, { status: "resolved", payload }] as const;
    });
    const resume = buildResumeArray(interrupts, Object.fromEntries(answers));
    return this.#work((listener) => this.#run({ resume }, listener));
  }

  /** The call with this id, wherever it stands in the conversation. */
  call(id: string | undefined): ShownCall | null {
    const calls = this.agent.messages.flatMap((message) =>
      message.role === "assistant" ? (message.toolCalls ?? []) : [],
    );
    const found = calls.find((call) => call.id === id);
    if (!found) return null;
    const input = readInput(found.function.arguments);
    const textOf = (value: unknown) => (typeof value === "string" ? value : "");
    const { order_id, amount } = input;
    return { name: found.function.name, input, order: textOf(order_id), amount: textOf(amount) };
  }

  /** An edit is the whole input. No amount is all of it, as where the model names none. */
  #payload({ toolCallId }: Interrupt, { isApproved, amount }: Decision) {
    const input = this.call(toolCallId)?.input;
    return {
      approved: isApproved,
      ...(amount !== undefined && { editedArgs: { ...input, amount: amount.trim() || undefined } }),
    };
  }

  #run(parameters: RunAgentParameters, listener: AgentSubscriber) {
    return this.agent.runAgent({ ...parameters, tools: [PRINT_LABEL] }, listener);
  }

  /** A run may end because the page is to do something: then it is done, and another run takes it to the agent. */
  async #work(begin: (listener: AgentSubscriber) => Promise<unknown>): Promise<void> {
    let pending: readonly string[] = [];
    const listener: AgentSubscriber = {
      onRunStartedEvent: () => void (pending = []),
      onRunFinishedEvent: (run) => {
        if (run.outcome === "success") pending = run.pendingToolCallIds;
      },
      onRunErrorEvent: ({ event }) => void (this.failure = event.message),
    };
    this.isBusy = true;
    this.failure = null;
    try {
      await begin(listener);
      while (pending.length > 0) {
        this.agent.addMessages(pending.map((id) => this.#print(id)));
        pending = [];
        await this.#run({}, listener);
      }
    } catch (error) {
      this.failure = String(error);
    } finally {
      this.isBusy = false;
      this.#onChange();
    }
  }

  /** The page shows this message as the label itself. */
  #print(toolCallId: string): Message {
    const order = this.call(toolCallId)?.order ?? "";
    const content = `RETURN-${order.replace(/\D/g, "")}, to be handed in with the parcel.`;
    return { id: randomUUID(), role: "tool", toolCallId, content };
  }
}

/** What has come of it so far may be no JSON yet. */
function readInput(text: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(text) as Readonly<Record<string, unknown>>;
  } catch {
    return {};
  }
}
