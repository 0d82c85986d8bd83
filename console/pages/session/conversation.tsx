import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { MessageSquareDashed } from "lucide-react";
import { useMemo } from "react";

import type { Session } from "../../../sdk/index.ts";
import { useReprise } from "../../access/access-context.ts";
import { mayBeAtWork } from "../../components/called/called-of.ts";
import { useSubagents } from "../../components/called/use-subagents.ts";
import { EmptyState } from "../../components/empty-state.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import { LoadingState } from "../../components/loading-state.tsx";
import { MessageCard } from "./message-card.tsx";
import { ForkButton } from "./session-actions.tsx";

/** Messages of one page: the newest ones are read first, earlier ones when they are asked for. */
const PAGE_MESSAGES = 30;

/** The messages of the session, oldest first. What is new is read when the session's cursor moves. */
export function Conversation({ session }: { readonly session: Session }) {
  const reprise = useReprise();
  const { id, cursor, pending, reply_id } = session;
  const { data, error, hasNextPage, fetchNextPage, isFetchingNextPage, refetch } = useInfiniteQuery(
    {
      queryKey: ["messages", id, cursor],
      queryFn: ({ pageParam }) =>
        reprise.session(id).messages.list({ limit: PAGE_MESSAGES }).page(pageParam),
      initialPageParam: null as string | null,
      getNextPageParam: (page) => page.next_page,
      placeholderData: keepPreviousData,
      staleTime: Infinity,
    },
  );
  const messages = useMemo(() => data?.pages.toReversed().flatMap((page) => page.data), [data]);
  const open = messages?.findLast((message) => message.id === reply_id);
  const subagents = useSubagents(id, open && mayBeAtWork(open.content) ? reply_id : null);
  if (error && !messages) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!messages) return <LoadingState label="Loading the conversation…" />;
  if (messages.length === 0) {
    return (
      <EmptyState icon={MessageSquareDashed} title="Nothing was said yet">
        <p>
          Ask the agent with <code>POST /v1/sessions/{id}/replies</code>: the answer appears here.
        </p>
      </EmptyState>
    );
  }
  return (
    <div className="conversation">
      {hasNextPage && (
        <button
          type="button"
          className="button conversation-more"
          disabled={isFetchingNextPage}
          onClick={() => void fetchNextPage()}
        >
          {isFetchingNextPage ? "Loading…" : "Show earlier messages"}
        </button>
      )}
      <ol className="messages" aria-label="Messages">
        {messages.map((message) => (
          <li key={message.id}>
            <MessageCard
              message={message}
              sessionId={id}
              pending={pending}
              {...(message.id === reply_id && { subagents })}
            >
              {message.finished_at !== null && <ForkButton sessionId={id} at={message.id} />}
            </MessageCard>
          </li>
        ))}
      </ol>
    </div>
  );
}
