import { useQuery } from "@tanstack/react-query";

import type { Confirmation } from "../../../sdk/index.ts";
import { useMay, useReprise } from "../../access/access-context.ts";
import { useKeyNames } from "../../components/use-names.ts";
import { deciderWords } from "../../components/words/decider-words.ts";

/** Decision and its maker, from the session's record: "denied by API key Support". */
export function WhoDecided({ call }: { readonly call: Confirmation }) {
  const reprise = useReprise();
  const names = useKeyNames();
  const mayRead = useMay("permission_rules:read");
  const { session_id, tool_call_id, asked_at, expires_at } = call;
  const { data, isLoading } = useQuery({
    queryKey: ["decided", session_id, tool_call_id, asked_at],
    enabled: mayRead,
    queryFn: async () => {
      const { data: decisions } = await reprise
        .session(session_id)
        .decisions({ limit: 100 })
        .page();
      return decisions.find((decision) => decision.tool_call_id === tool_call_id) ?? null;
    },
  });
  if (mayRead && isLoading) return <>…</>;
  if (data && data.behavior !== "ask") {
    const verb = data.behavior === "allow" ? "approved" : "denied";
    return (
      <>
        {verb} by {deciderWords(data.decided_by, names)}
      </>
    );
  }
  if (expires_at !== null && Date.parse(expires_at) <= Date.now()) return <>expired unanswered</>;
  return <>answered by someone else, or interrupted</>;
}
