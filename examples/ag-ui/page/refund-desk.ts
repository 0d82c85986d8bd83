// The page's conversation, independent of its display: an AG-UI agent with a client-side tool.
import { buildResumeArray, randomUUID } from "@ag-ui/client";
import type { AgentSubscriber, Interrupt, Message, RunAgentParameters, Tool } from "@ag-ui/client";
import { RepriseAgent } from "@reprise/sdk/ag-ui";

export interface RefundDeskOptions {
  readonly baseUrl: string;
  readonly agentId: string;
  readonly sessionId: string;
  /** Called whenever the token has expired. */
  readonly token: () => Promise<string>;
  /** Called when the display must be updated. */
  readonly onChange: () => void;
}

/** A person's decision on an interrupt. */
export interface Decision {
  readonly isApproved: boolean;
  /** Replaces the requested amount. */
  readonly amount?: string;
}

/** A tool call for display. */
export interface ShownCall {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** From the input; empty if absent. */
  readonly order: string;
  readonly amount: string;
}

/** A client-side tool: the page prints labels. */
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
  /** The connection states so far, in order. */
  readonly connections: string[] = [];
  isBusy = false;
  /** The error of the last run. */
  failure: string | null = null;
  readonly #onChange: () => void;

  constructor({ onChange, ...options }: RefundDeskOptions) {
    this.#onChange = onChange;
    this.agent = new RepriseAgent({
      ...options,
      // Known data of the customer, shared with the agent and the shop.
      initialState: { customer: "Kim Lee" },
      onConnectionChange: (state) => {
        this.connections.push(state);
        onChange();
      },
    });
    this.agent.subscribe({ onMessagesChanged: onChange, onStateChanged: onChange });
  }

  /** Connects a page that was opened or reloaded. */
  open(): Promise<void> {
    return this.#work((listener) => this.agent.connectAgent({}, listener));
  }

  ask(question: string): Promise<void> {
    this.agent.addMessage({ id: randomUUID(), role: "user", content: question });
    return this.#work((listener) => this.#run({}, listener));
  }

  /** Answers all open interrupts at once. @param decide Called for each interrupt. */
  answer(decide: (interrupt: Interrupt) => Decision): Promise<void> {
    const interrupts = this.agent.pendingInterrupts;
    const answers = interrupts.map((interrupt) => {
      const payload = this.#payload(interrupt, decide(interrupt));
      return [interrupt.id, { status: "resolved", payload }] as const;
    });
    const resume = buildResumeArray(interrupts, Object.fromEntries(answers));
    return this.#work((listener) => this.#run({ resume }, listener));
  }

  /** Finds the call with this id in the conversation. */
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

  /** An edit replaces the complete input. No amount means a full refund. */
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

  /** Runs client-side tools when a run ends with pending calls, and sends their results with another run. */
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

  /** The page displays this message as the label. */
  #print(toolCallId: string): Message {
    const order = this.call(toolCallId)?.order ?? "";
    const content = `RETURN-${order.replace(/\D/g, "")}, to be handed in with the parcel.`;
    return { id: randomUUID(), role: "tool", toolCallId, content };
  }
}

/** An input that is still streaming may be incomplete JSON. */
function readInput(text: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(text) as Readonly<Record<string, unknown>>;
  } catch {
    return {};
  }
}
