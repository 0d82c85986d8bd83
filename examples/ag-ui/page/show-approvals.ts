// Renders a card for each call that needs a confirmation.
import type { Interrupt } from "@ag-ui/client";

import { element } from "./element.ts";
import type { Decision, RefundDesk } from "./refund-desk.ts";

/** The answers are sent together, after the last card's decision. */
export function showApprovals(desk: RefundDesk): readonly HTMLElement[] {
  const decisions = new Map<string, Decision>();
  const { pendingInterrupts } = desk.agent;
  return pendingInterrupts.map((interrupt) =>
    showApproval(desk, interrupt, (decision) => {
      decisions.set(interrupt.id, decision);
      if (decisions.size < pendingInterrupts.length) return;
      void desk.answer(({ id }) => decisions.get(id) ?? { isApproved: false });
    }),
  );
}

function showApproval(
  desk: RefundDesk,
  { toolCallId, message = "" }: Interrupt,
  decide: (decision: Decision) => void,
): HTMLElement {
  const call = desk.call(toolCallId);
  const asked = call?.amount ?? "";
  const amount = document.createElement("input");
  amount.name = "amount";
  amount.value = asked;
  amount.placeholder = "all of it";
  const yes = element("button", "approve", "Approve");
  const no = element("button", "deny", "Deny");
  const card = element(
    "article",
    "approval",
    element("p", "", element("strong", "", `${call?.name} for order ${call?.order}?`)),
    element("p", "reason", message),
    element("label", "", "Amount", amount),
    yes,
    no,
  );
  const finish = (decision: Decision) => {
    for (const button of card.querySelectorAll("button")) button.disabled = true;
    decide(decision);
  };
  yes.addEventListener("click", () => {
    const isEdited = amount.value !== asked;
    finish({ isApproved: true, ...(isEdited && { amount: amount.value }) });
  });
  no.addEventListener("click", () => finish({ isApproved: false }));
  return card;
}
