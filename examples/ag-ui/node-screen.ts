// The same conversation without a page, for machines without a browser.
import type { Message } from "@ag-ui/client";

import { RefundDesk } from "./page/refund-desk.ts";
import type { RefundDeskOptions } from "./page/refund-desk.ts";
import type { Screen } from "./screen.ts";

export async function openNodeScreen(
  options: Omit<RefundDeskOptions, "onChange">,
): Promise<Screen> {
  const warnings: string[] = [];
  const { warn } = console;
  console.warn = (...words: unknown[]) => void warnings.push(words.join(" "));
  const open = async () => {
    const opened = new RefundDesk({ ...options, onChange: () => undefined });
    await opened.open();
    return opened;
  };
  let desk = await open();
  return {
    async read() {
      const { agent, isBusy, failure } = desk;
      const isAsking = !isBusy && agent.pendingInterrupts.length > 0;
      return {
        state: isBusy ? "busy" : isAsking ? "asking" : "idle",
        answer: agent.messages.map(answerOf).findLast((text) => text !== "") ?? "",
        approvals: isAsking ? agent.pendingInterrupts.map(({ message }) => message ?? "") : [],
        label: agent.messages.map((message) => labelOf(desk, message)).findLast(Boolean) ?? null,
        caseFile: JSON.stringify(agent.state),
        failure,
      };
    },
    connections: async () => desk.connections,
    messages: async () => desk.agent.messages,
    async ask(question) {
      void desk.ask(question);
    },
    async approve(amount) {
      void desk.answer(() => ({ isApproved: true, amount }));
    },
    async reopen() {
      desk = await open();
    },
    warnings: () => warnings,
    async close() {
      console.warn = warn;
    },
  };
}

function answerOf(message: Message): string {
  return message.role === "assistant" ? (message.content ?? "") : "";
}

function labelOf(desk: RefundDesk, message: Message): string | null {
  if (message.role !== "tool" || typeof message.content !== "string") return null;
  return desk.call(message.toolCallId)?.name === "print_label"
    ? (message.content.split(",")[0] ?? null)
    : null;
}
