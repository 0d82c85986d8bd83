import { useQuery } from "@tanstack/react-query";
import { useEffect, useState, type RefObject } from "react";

import type { Confirmation, Session } from "../../../sdk/index.ts";
import { useMay, useReprise } from "../../access/access-context.ts";
import { storyOf, type CallStory } from "./call-story.ts";
import { takeTurns } from "./take-turns.ts";
import { editionOf } from "./waiting-list.ts";

/** Sessions that are read at a time. */
const READERS = 4;
/** Messages of a session that are read: what led to the call is in the last ones. */
const MESSAGES = 10;
/** Milliseconds for which a card has to be in view: one that is scrolled past is not read. */
const IN_VIEW_MS = 250;

const inTurn = takeTurns(READERS);

type StoryState =
  | { readonly type: "loading" | "forbidden" | "failed" }
  | {
      readonly type: "read";
      readonly story: CallStory;
      readonly title: string | null;
      /** The session whose reply has called the agent that asks; null for one that a request has opened. */
      readonly parentId: string | null;
    };

/** Story behind a call, read from its session with the viewer's rights while its card is in view. */
export function useCallStory(call: Confirmation, card: RefObject<Element | null>): StoryState {
  const reprise = useReprise();
  const mayRead = useMay("sessions:read");
  const isInView = useInView(card);
  const { data, error } = useQuery({
    queryKey: ["call-story", call.session_id, call.tool_call_id, editionOf(call)],
    enabled: mayRead && isInView,
    staleTime: Infinity,
    queryFn: ({ signal }) =>
      inTurn(async () => {
        const session = reprise.session(call.session_id);
        const page = await session.messages.list({ limit: MESSAGES }).page(null);
        const story = storyOf(page.data, call.tool_call_id, page.next_page === null);
        // An older platform has no titles, and no called agents.
        const read = (await session.get()) as Partial<Session>;
        return { story, title: read.title ?? null, parentId: read.parent_session_id ?? null };
      }, signal),
  });
  if (!mayRead) return { type: "forbidden" };
  if (data) return { type: "read", ...data };
  return { type: error ? "failed" : "loading" };
}

function useInView(element: RefObject<Element | null>): boolean {
  const [isInView, setIsInView] = useState(false);
  useEffect(() => {
    if (!element.current) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const observer = new IntersectionObserver((entries) => {
      clearTimeout(timer);
      const isNow = entries.at(-1)?.isIntersecting ?? false;
      if (isNow) timer = setTimeout(() => setIsInView(true), IN_VIEW_MS);
      else setIsInView(false);
    });
    observer.observe(element.current);
    return () => {
      clearTimeout(timer);
      observer.disconnect();
    };
  }, [element]);
  return isInView;
}
