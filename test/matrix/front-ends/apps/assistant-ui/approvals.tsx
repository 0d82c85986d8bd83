import { useAgUiInterrupts, useAgUiSubmitInterruptResponses } from "@assistant-ui/react-ag-ui";
import { useState } from "react";

/** Shows what waits for a person's decision; the answers are sent when there is one for each. */
export function Approvals() {
  const interrupts = useAgUiInterrupts();
  const submit = useAgUiSubmitInterruptResponses();
  const [decisions, setDecisions] = useState<Readonly<Record<string, boolean>>>({});

  async function decide(interruptId: string, approved: boolean): Promise<void> {
    const all = { ...decisions, [interruptId]: approved };
    setDecisions(all);
    if (interrupts.some(({ id }) => !(id in all))) return;
    const answers = interrupts.map(({ id, metadata }) => ({
      interruptId: id,
      status: "resolved" as const,
      payload: { approved: all[id], inputHash: inputHashOf(metadata) },
    }));
    await submit(answers);
  }

  return interrupts
    .filter(({ id }) => !(id in decisions))
    .map(({ id, message }) => (
      <section key={id} className="approval" aria-label="Approval">
        <p>{message}</p>
        <button onClick={() => void decide(id, true)}>Approve</button>
        <button onClick={() => void decide(id, false)}>Deny</button>
      </section>
    ));
}

/** The hash of the input that the person has seen; an answer with a client token returns it. */
function inputHashOf(metadata: Record<string, unknown> | undefined): unknown {
  return (metadata?.["agentscope"] as { readonly inputHash?: string } | undefined)?.inputHash;
}
