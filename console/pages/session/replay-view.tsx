import { Link } from "@tanstack/react-router";
import { GitCompareArrows, Pause, Play, SkipBack } from "lucide-react";
import { useState } from "react";

import { useMay } from "../../access/access-context.ts";
import { ErrorState } from "../../components/error-state.tsx";
import { LoadingState } from "../../components/loading-state.tsx";
import { summarizeEvent } from "../../components/summarize-event.ts";
import { MessageCard } from "./message-card.tsx";
import { useEvents } from "./use-events.ts";
import { SPEEDS, useReplay, type Speed } from "./use-replay.ts";

/** Messages that are drawn while it plays: the newest ones. */
const DRAWN_MESSAGES = 8;

interface ReplayViewProps {
  readonly sessionId: string;
  readonly agentId: string;
}

/** The session as it happened, from its log: at its own speed, or faster, and from any event. */
export function ReplayView({ sessionId, agentId }: ReplayViewProps) {
  const { events, isReading, error, readAgain } = useEvents(sessionId);
  const [speed, setSpeed] = useState<Speed>("4");
  const replay = useReplay(events, speed);
  const { messages, played, total, isPlaying, last, play, pause, seek } = replay;
  if (error) return <ErrorState error={error} onRetry={readAgain} />;
  if (total === 0 && isReading) return <LoadingState label="Reading the log…" />;
  const hidden = messages.length - DRAWN_MESSAGES;
  return (
    <div className="replay">
      <div className="replay-controls" role="group" aria-label="Replay">
        <button
          type="button"
          className="button button-icon"
          aria-label="To the start"
          onClick={() => seek(0)}
        >
          <SkipBack size={18} aria-hidden />
        </button>
        <button
          type="button"
          className="button button-primary replay-play"
          disabled={total === 0}
          onClick={isPlaying ? pause : play}
        >
          {isPlaying ? <Pause size={16} aria-hidden /> : <Play size={16} aria-hidden />}
          {isPlaying ? "Pause" : "Play"}
        </button>
        <input
          type="range"
          className="replay-range"
          aria-label="Event"
          min={0}
          max={total}
          value={played}
          onChange={(event) => seek(Number(event.target.value))}
        />
        <select
          className="input replay-speed"
          aria-label="Speed"
          value={speed}
          onChange={(event) => setSpeed(event.target.value as Speed)}
        >
          {SPEEDS.map((one) => (
            <option key={one} value={one}>
              {one === "instant" ? "instant" : `${one}×`}
            </option>
          ))}
        </select>
        <ReplayOnVersion sessionId={sessionId} agentId={agentId} />
      </div>
      <p className="quiet replay-state">
        Event {played.toLocaleString()} of {total.toLocaleString()}
        {last && ` · ${last.type} ${summarizeEvent(last)}`}
      </p>
      {hidden > 0 && <p className="quiet">{hidden} earlier messages</p>}
      <ol className="messages" aria-label="Messages of the replay">
        {messages.slice(-DRAWN_MESSAGES).map((message) => (
          <li key={message.id}>
            <MessageCard message={message} sessionId={sessionId} pending={[]} isPlain={isPlaying} />
          </li>
        ))}
      </ol>
      {played === 0 && (
        <p className="quiet">
          Waits of more than three seconds are shortened. The log plays as it was written: nothing
          is asked of a model or a tool.
        </p>
      )}
    </div>
  );
}

/** The way to what another version of the agent would have done. */
function ReplayOnVersion({ sessionId, agentId }: ReplayViewProps) {
  const mayReplay = useMay("agents:write");
  if (!mayReplay) return null;
  return (
    <Link
      to="/agents/$agentId"
      params={{ agentId }}
      search={{ tab: "replay", replay_session: sessionId } as never}
      className="button"
    >
      <GitCompareArrows size={16} aria-hidden />
      Replay on another version
    </Link>
  );
}
