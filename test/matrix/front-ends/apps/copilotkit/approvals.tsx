import { useAgent, useInterrupt } from "@copilotkit/react-core/v2";

/** Shows what waits for a person's decision, in the chat. */
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
        {interrupts.map(({ id, message, toolCallId }) => (
          <section key={id} className="approval" aria-label="Approval">
            <p>{message}</p>
            <p>
              <code>{callOf(toolCallId)}</code>
            </p>
            <button onClick={() => void resolve({ approved: true }, id)}>Approve</button>
            <button onClick={() => void resolve({ approved: false }, id)}>Deny</button>
          </section>
        ))}
      </>
    ),
  });
  return null;
}
