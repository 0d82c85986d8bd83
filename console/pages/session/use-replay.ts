import { useEffect, useMemo, useRef, useState } from "react";

import type { LoggedEvent, Msg } from "../../../sdk/index.ts";
import { countPlayed, paceEvents, playEvent } from "./replay-log.ts";

export const SPEEDS = ["1", "4", "16", "instant"] as const;
export type Speed = (typeof SPEEDS)[number];

interface Replay {
  readonly messages: readonly Msg[];
  /** Events that were played, of all that the log has. */
  readonly played: number;
  readonly total: number;
  readonly isPlaying: boolean;
  /** The event that was played last; null before the first. */
  readonly last: LoggedEvent | null;
  readonly play: () => void;
  readonly pause: () => void;
  /** Goes to the place behind this many events, and stays there. */
  readonly seek: (played: number) => void;
}

/** Milliseconds of one frame that folding events may take: a jump over a long log is spread over frames. */
const SLICE_MS = 8;

interface Position {
  readonly messages: readonly Msg[];
  readonly played: number;
}
const START: Position = { messages: [], played: 0 };

/** Plays the events at a multiple of the speed at which they happened. Going back folds them from the first again. */
export function useReplay(events: readonly LoggedEvent[], speed: Speed): Replay {
  const paces = useMemo(() => paceEvents(events), [events]);
  const [position, setPosition] = useState(START);
  const [isPlaying, setIsPlaying] = useState(false);
  const [target, setTarget] = useState<number | null>(null);
  const at = useRef(START);

  useEffect(() => {
    if (!isPlaying && target === null) return undefined;
    let frame = 0;
    let [clockMs, beforeMs] = [paces[at.current.played - 1] ?? 0, performance.now()];
    function draw(nowMs: number): void {
      clockMs += (nowMs - beforeMs) * (speed === "instant" ? Infinity : Number(speed));
      beforeMs = nowMs;
      const wanted = target ?? (speed === "instant" ? events.length : countPlayed(paces, clockMs));
      at.current = playUntil(at.current, events, wanted);
      setPosition(at.current);
      const isThere = at.current.played === wanted;
      if (isThere && target !== null) setTarget(null);
      else if (isThere && wanted === events.length) setIsPlaying(false);
      else frame = requestAnimationFrame(draw);
    }
    frame = requestAnimationFrame(draw);
    return () => cancelAnimationFrame(frame);
  }, [isPlaying, target, speed, events, paces]);

  return {
    ...position,
    total: events.length,
    isPlaying,
    last: events[position.played - 1] ?? null,
    play: () => {
      if (at.current.played === events.length) at.current = START;
      setTarget(null);
      setIsPlaying(true);
    },
    pause: () => setIsPlaying(false),
    seek: (played) => {
      setIsPlaying(false);
      setTarget(played);
    },
  };
}

/** As far as one frame's time goes. */
function playUntil(from: Position, events: readonly LoggedEvent[], wanted: number): Position {
  let { messages, played } = wanted < from.played ? START : from;
  const endMs = performance.now() + SLICE_MS;
  while (played < wanted && performance.now() < endMs) {
    const event = events[played];
    if (event) messages = playEvent(messages, event);
    played += 1;
  }
  return { messages, played };
}
