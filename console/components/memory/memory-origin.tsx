import { Link } from "@tanstack/react-router";
import { ShieldAlert } from "lucide-react";

import type { Memory, MemoryVersion } from "../../../sdk/index.ts";
import { useMay } from "../../access/access-context.ts";

type Origin = Pick<Memory | MemoryVersion, "source" | "untrusted">;

/** Badge of an untrusted memory; nothing for a trusted one. */
export function UntrustedBadge({ untrusted }: Pick<Origin, "untrusted">) {
  if (!untrusted) return null;
  return (
    <span
      className="badge"
      data-tone="waiting"
      title={`Made while a result of ${untrusted.tool_name} was in the context`}
    >
      untrusted
    </span>
  );
}

/** The reason for which a memory is untrusted, and what that means; nothing for a trusted one. */
export function UntrustedNote({ untrusted, source }: Origin) {
  if (!untrusted) return null;
  return (
    <p role="note" className="notice" data-tone="waiting">
      <ShieldAlert size={16} aria-hidden />
      <span>
        Untrusted: a result of <span className="code">{untrusted.tool_name}</span> was in the
        context when it was made
        {source?.session_id != null && (
          <>
            {" "}
            (call{" "}
            <SessionPart
              sessionId={source.session_id}
              search={{ tab: "events", text: untrusted.tool_call_id }}
              words={untrusted.tool_call_id}
            />
            )
          </>
        )}
        . A reply that recalls it asks before its sinks. Correct it, and you vouch for it.
      </span>
    </p>
  );
}

/** The conversation that a memory is from, with ways to it. */
export function OriginLinks({ source }: Pick<Origin, "source">) {
  const session_id = source?.session_id ?? null;
  if (source === null || session_id === null) {
    return <span className="quiet">written by a person or a back end</span>;
  }
  const { reply_id, tool_call_id } = source;
  return (
    <span className="memory-origin">
      <SessionPart sessionId={session_id} search={{}} words="its session" />
      {reply_id !== null && (
        <SessionPart
          sessionId={session_id}
          search={{ tab: "timeline", reply: reply_id }}
          words="its reply"
        />
      )}
      <span className="quiet">
        {tool_call_id === null ? "recorded behind the reply" : "recorded by the agent’s tool"}
      </span>
    </span>
  );
}

interface SessionPartProps {
  readonly sessionId: string;
  readonly search: Readonly<Record<string, string>>;
  readonly words: string;
}

function SessionPart({ sessionId, search, words }: SessionPartProps) {
  if (!useMay("sessions:read")) return <span className="code">{words}</span>;
  return (
    <Link to="/sessions/$sessionId" params={{ sessionId }} search={search as never}>
      {words}
    </Link>
  );
}
