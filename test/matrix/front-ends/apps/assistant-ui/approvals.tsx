import { useAgUiInterrupts, useAgUiSubmitInterruptResponses } from "@assistant-ui/react-ag-ui";
import { useState } from "react";

import { InterruptForm } from "../interrupt-form.tsx";
import type { Connection } from "./back-end.ts";

/** Shows what waits for a person; the answers are sent when there is one for each. */
export function Approvals({ connection }: { readonly connection: Connection }) {
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
        onSignIn={(connectionId, code) => signIn(connection, connectionId, code)}
      />
    ));
}

/** The call goes on without an answer of the page, which shows the rest when it is opened again. */
async function signIn({ url, token }: Connection, connectionId: string, code: string) {
  const response = await fetch(new URL(`/v1/connections/${connectionId}/complete`, url), {
    method: "POST",
    headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
    body: JSON.stringify({ code }),
  });
  if (!response.ok) throw new Error(((await response.json()) as { detail: string }).detail);
  location.reload();
}

/** The hash of the input that the person has seen; a confirmation with a client token returns it. */
function inputHashOf(metadata: Record<string, unknown> | undefined): unknown {
  return (metadata?.["agentscope"] as { readonly inputHash?: string } | undefined)?.inputHash;
}
