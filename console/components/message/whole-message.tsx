import { useQuery } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";

import type { Msg } from "../../../sdk/index.ts";
import { useReprise } from "../../access/access-context.ts";
import { ErrorState } from "../error-state.tsx";

interface WholeMessageProps {
  readonly sessionId: string;
  readonly messageId: string;
  /** Words of the button that reads the message. */
  readonly label: string;
  readonly children: (message: Msg) => ReactNode;
}

/** A message that was too large for the list: read when the person wants to see it. */
export function WholeMessage({ sessionId, messageId, label, children }: WholeMessageProps) {
  const reprise = useReprise();
  const [isWanted, setIsWanted] = useState(false);
  const { data, error, refetch } = useQuery({
    queryKey: ["message", sessionId, messageId],
    queryFn: () => reprise.session(sessionId).message(messageId),
    enabled: isWanted,
  });
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (data) return children(data.message);
  return (
    <button type="button" className="button" disabled={isWanted} onClick={() => setIsWanted(true)}>
      {isWanted ? "Loading…" : label}
    </button>
  );
}
