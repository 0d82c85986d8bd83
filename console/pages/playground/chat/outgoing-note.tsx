import type { OutgoingMessage } from "../../../../sdk/react/index.ts";
import { usePlayground } from "../playground-context.ts";

const WORDS = {
  uploading: "Uploading…",
  sending: "Sending…",
  queued: "Queued: the agent answers it after the reply that runs.",
} as const;

/** State of a message that the conversation does not have yet. */
export function OutgoingNote({ outgoing }: { readonly outgoing: OutgoingMessage }) {
  const { actions } = usePlayground();
  const { id, state, error } = outgoing;
  if (state !== "failed") return <p className="message-foot quiet">{WORDS[state]}</p>;
  return (
    <div role="alert" className="message-error outgoing-failed">
      <span>Not sent: {error?.message ?? "the platform cannot be reached"}</span>
      <button
        type="button"
        className="button button-small"
        onClick={() => void actions.retry(id).catch(() => undefined)}
      >
        Try again
      </button>
      <button type="button" className="button button-small" onClick={() => actions.discard(id)}>
        Discard
      </button>
    </div>
  );
}
