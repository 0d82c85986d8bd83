import { AudioLines } from "lucide-react";
import type { ReactNode } from "react";

import type { Msg } from "../../../sdk/index.ts";
import { StatusBadge } from "../status-badge.tsx";
import { TimeStamp } from "../time-stamp.tsx";
import { isSpoken, speechNoteOf } from "../words/speech-words.ts";
import { KeptAudio } from "./kept-audio.tsx";

interface MessageFrameProps {
  readonly message: Msg;
  /** Whether the state of a message that has not ended well comes before its time. */
  readonly isStateFirst?: boolean;
  /** Buttons at the end of the head. */
  readonly actions?: ReactNode;
  /** Between the failure and the tokens. */
  readonly note?: ReactNode;
  /** Content of the message. */
  readonly children: ReactNode;
}

/** One message: its author and time, its content, and how it ended. */
export function MessageFrame(props: MessageFrameProps) {
  const { message, isStateFirst = false, actions, note, children } = props;
  const { role, name, created_at, usage, finished_reason, error } = message;
  const isOdd = finished_reason !== null && finished_reason !== "completed";
  const speechNote = speechNoteOf(message);
  return (
    <article className="message" data-role={role} aria-label={`${name}, ${role}`}>
      <header className="message-head">
        <strong>{name}</strong>
        {isSpoken(message) && (
          <AudioLines size={14} role="img" aria-label="spoken" className="message-spoken" />
        )}
        <span className="quiet">{role === name ? "" : role}</span>
        {isOdd && isStateFirst && <StatusBadge status={finished_reason} />}
        <TimeStamp at={created_at} />
        {isOdd && !isStateFirst && <StatusBadge status={finished_reason} />}
        {actions}
      </header>
      {children}
      <KeptAudio message={message} />
      {speechNote !== null && <p className="quiet">{speechNote}</p>}
      {error && (
        <p role="note" className="message-error">
          {error.type}: {error.message}
        </p>
      )}
      {note}
      {usage && (
        <footer className="message-foot quiet">
          {usage.input_tokens.toLocaleString()} tokens in, {usage.output_tokens.toLocaleString()}{" "}
          out
        </footer>
      )}
    </article>
  );
}
