import { useInterrupt } from "@copilotkit/react-core/v2";

/** Shows what waits for a person's decision, in the chat. */
export function Approvals() {
  useInterrupt({
    render: ({ interrupts, resolve }) => (
      <>
        {interrupts.map(({ id, message }) => (
          <section key={id} className="approval" aria-label="Approval">
            <p>{message}</p>
            <button onClick={() => void resolve({ approved: true }, id)}>Approve</button>
            <button onClick={() => void resolve({ approved: false }, id)}>Deny</button>
          </section>
        ))}
      </>
    ),
  });
  return null;
}
