import { useCallback, useEffect, useRef, useState, type RefObject } from "react";

interface StickToBottom {
  readonly region: RefObject<HTMLDivElement | null>;
  readonly content: RefObject<HTMLDivElement | null>;
  /** Whether the reader has scrolled away from the end. */
  readonly isAway: boolean;
  readonly toBottom: () => void;
}

/** Milliseconds for which a scroll is one of the reader's, after a wheel, a finger or a key. */
const HAND_MS = 1_000;
const HANDS = ["wheel", "touchmove", "keydown", "pointerdown"] as const;
/** Pixels from the end that still count as being there. */
const NEAR_PIXELS = 48;

/** Keeps the end of what grows in view, while the reader is at the end. */
export function useStickToBottom(): StickToBottom {
  const region = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const [isAway, setIsAway] = useState(false);
  const isPinned = useRef(true);
  const toBottom = useCallback(() => {
    isPinned.current = true;
    setIsAway(false);
    region.current?.scrollTo({ top: region.current.scrollHeight });
  }, []);
  useEffect(() => {
    const { current: frame } = region;
    const { current: grown } = content;
    if (!frame || !grown) return undefined;
    let lastTop = frame.scrollTop;
    let lastHandMs = -Infinity;
    const onHand = () => void (lastHandMs = performance.now());
    const onScroll = () => {
      const { scrollTop, scrollHeight, clientHeight } = frame;
      const isNear = scrollHeight - scrollTop - clientHeight < NEAR_PIXELS;
      // Parts that grow or shrink move the end as well.
      const isReaders = performance.now() - lastHandMs < HAND_MS;
      if (isNear) isPinned.current = true;
      else if (isReaders && scrollTop < lastTop) isPinned.current = false;
      lastTop = scrollTop;
      setIsAway(!isPinned.current);
    };
    const observer = new ResizeObserver(() => {
      if (isPinned.current) frame.scrollTop = frame.scrollHeight;
    });
    frame.addEventListener("scroll", onScroll, { passive: true });
    for (const hand of HANDS) frame.addEventListener(hand, onHand, { passive: true });
    observer.observe(grown);
    observer.observe(frame);
    return () => {
      frame.removeEventListener("scroll", onScroll);
      for (const hand of HANDS) frame.removeEventListener(hand, onHand);
      observer.disconnect();
    };
  }, []);
  return { region, content, isAway, toBottom };
}
