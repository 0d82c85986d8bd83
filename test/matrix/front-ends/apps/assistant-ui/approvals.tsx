import { useAgUiInterrupts, useAgUiSubmitInterruptResponses } from "@assistant-ui/react-ag-ui";
import { useState } from "react";

import { InterruptForm } from "../interrupt-form.tsx";

/** Shows what waits for a person; the answers are sent when there is one for each. */
export function Approvals() {
  const interrupts = useAgUiInterrupts();
  const submit = useAgUiSubmitInterruptResponses();
  const [payloads, setPayloads] = useState<Readonly<Record<string, object>>>({});

  async function answer(interruptId: string, payload: object): Promise<void> {
    const all = { ...payloads, [interruptId]: payload };
    setPayloads(all);
    if (interrupts.some(({ id }) => !(id in all))) return;
    const answers = interrupts.map(({ id, reason, metadata }) => ({
      interruptId: id,
      status: "resolved" as const,
      payload: reason === "tool_call" ? { ...all[id], inputHash: inputHashOf(metadata) } : all[id],
    }));
    await submit(answers);
  }

  return interrupts
    .filter(({ id }) => !(id in payloads))
    .map((interrupt) => (
      <InterruptForm
        key={interrupt.id}
        interrupt={interrupt}
        onAnswer={(payload) => void answer(interrupt.id, payload)}
      />
    ));
}

/** The hash of the input that the person has seen; a confirmation with a client token returns it. */
function inputHashOf(metadata: Record<string, unknown> | undefined): unknown {
  return (metadata?.["agentscope"] as { readonly inputHash?: string } | undefined)?.inputHash;
}
