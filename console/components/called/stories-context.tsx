import {
  createContext,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
  type ReactNode,
} from "react";

import { useReprise } from "../../access/access-context.ts";
import { NO_STORIES, tellCalled, type CalledStories } from "./called-fold.ts";

/** Milliseconds between two drawings of what has come. */
const DRAW_MS = 100;
/** Milliseconds after which a reply that has stopped without an end is looked at again. */
const PAUSE_MS = 3_000;

interface Stories {
  readonly stories: CalledStories;
  readonly isReading: boolean;
  readonly error: Error | null;
  /** Reads of the called agents' stories while a component shows them. @returns the end of its reading. */
  readonly want: () => () => void;
}

const StoriesContext = createContext<Stories | null>(null);

interface CalledStoriesProps {
  readonly sessionId: string;
  /** The reply whose calls are below. */
  readonly replyId: string;
  readonly children: ReactNode;
}

/** Stories of the agents that a reply has called, for the cards of its calls: one stream, while one of them is open. */
export function CalledStoriesOf({ sessionId, replyId, children }: CalledStoriesProps) {
  const reprise = useReprise();
  const [wishes, setWishes] = useState(0);
  const [stories, setStories] = useState(NO_STORIES);
  const [isReading, setIsReading] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  const isWanted = wishes > 0;
  // The reply has ended, and its log says nothing further.
  const isWhole = useRef(false);
  useEffect(() => {
    if (!isWanted || isWhole.current) return undefined;
    const leaving = new AbortController();
    const { signal } = leaving;
    let told = NO_STORIES;
    const timer = setInterval(() => setStories(told), DRAW_MS);

    async function read(): Promise<void> {
      let [after, hasEnded] = [0, false];
      while (!signal.aborted && !hasEnded) {
        for await (const event of reprise.session(sessionId).events({ after, replyId, signal })) {
          after = event.seq;
          hasEnded ||= event.type === "REPLY_END";
          told = tellCalled(told, event);
        }
        isWhole.current = hasEnded;
        setStories(told);
        setIsReading(false);
        if (!hasEnded) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      }
    }
    setIsReading(true);
    setError(null);
    read().catch((failure: unknown) => {
      if (signal.aborted) return;
      setIsReading(false);
      setError(failure instanceof Error ? failure : new Error(String(failure)));
    });
    return () => {
      leaving.abort();
      clearInterval(timer);
    };
  }, [reprise, sessionId, replyId, isWanted]);
  const want = useCallback(() => {
    setWishes((count) => count + 1);
    return () => setWishes((count) => count - 1);
  }, []);
  const value = useMemo(
    () => ({ stories, isReading, error, want }),
    [stories, isReading, error, want],
  );
  return <StoriesContext value={value}>{children}</StoriesContext>;
}

/** @param isWanted Whether they are in view: they are read then. */
export function useStories(isWanted: boolean): Omit<Stories, "want"> {
  const context = useContext(StoriesContext);
  if (!context) throw new Error("outside of the stories of a reply");
  const { want } = context;
  useEffect(() => (isWanted ? want() : undefined), [isWanted, want]);
  return context;
}
