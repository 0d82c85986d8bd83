import { useAgent, useInterrupt } from "@copilotkit/react-core/v2";

import { InterruptForm } from "../interrupt-form.tsx";

/** Shows what waits for a person, in the chat. */
export function Approvals() {
  const { agent } = useAgent();

  /** The call in words: its name and its input. */
  function callOf(toolCallId: string | undefined): string {
    const calls = agent.messages.flatMap((message) =>
      message.role === "assistant" ? (message.toolCalls ?? []) : [],
    );
    const call = calls.find(({ id }) => id === toolCallId);
    return call ? `${call.function.name} ${call.function.arguments}` : "";
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
          />
        ))}
      </>
    ),
  });
  return null;
}
