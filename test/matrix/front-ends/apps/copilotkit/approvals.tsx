import { useAgent, useCopilotKit, useInterrupt } from "@copilotkit/react-core/v2";

import { InterruptForm } from "../interrupt-form.tsx";

/** Shows what waits for a person, in the chat. */
export function Approvals() {
  const { agent } = useAgent();
  const { copilotkit } = useCopilotKit();

  /** The call in words: its name and its input. */
  function callOf(toolCallId: string | undefined): string {
    const calls = agent.messages.flatMap((message) =>
      message.role === "assistant" ? (message.toolCalls ?? []) : [],
    );
    const call = calls.find(({ id }) => id === toolCallId);
    return call ? `${call.function.name} ${call.function.arguments}` : "";
  }

  /** The call then goes on without an answer of the page: a run that brings nothing new shows what follows. */
  async function signIn(connectionId: string, code: string): Promise<void> {
    const response = await fetch("/api/sign-ins", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ threadId: agent.threadId, connectionId, code }),
    });
    if (!response.ok) throw new Error(await response.text());
    agent.pendingInterrupts = [];
    await copilotkit.runAgent({ agent });
  }

  useInterrupt({
    render: ({ interrupts, resolve }) => (
      <>
        {interrupts.map((interrupt) => (
          <InterruptForm
            key={interrupt.id}
            interrupt={interrupt}
            call={callOf(interrupt.toolCallId)}
            onAnswer={(payload) => void resolve(payload, interrupt.id)}
            onSignIn={signIn}
          />
        ))}
      </>
    ),
  });
  return null;
}
