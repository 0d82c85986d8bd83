import { CircleStop, Mic, MicOff, Phone, PhoneOff } from "lucide-react";
import { useSyncExternalStore } from "react";

import { useMay } from "../../../access/access-context.ts";
import { StatusBadge } from "../../../components/status-badge.tsx";
import type { VoiceCall, VoiceCallState } from "./voice-call.ts";

interface VoiceBarProps {
  readonly call: VoiceCall;
  /** Whether a reply runs. */
  readonly isBusy: boolean;
}

/** Speaking with the agent: to begin and to end it, the microphone, and what the connection does. */
export function VoiceBar({ call, isBusy }: VoiceBarProps) {
  const state = useSyncExternalStore(call.subscribe, call.getState);
  const mayTalk = useMay("replies:write");
  if (!mayTalk) return null;
  const { phase, isMuted, isSpeaking, problem } = state;
  return (
    <section className="voice-bar" aria-label="Voice">
      {phase === "off" ? (
        <TalkButton onTalk={() => void call.begin()} />
      ) : (
        <>
          <button type="button" className="button" aria-pressed={isMuted} onClick={call.toggleMute}>
            {isMuted ? <MicOff size={16} aria-hidden /> : <Mic size={16} aria-hidden />}
            {isMuted ? "Muted" : "Mute"}
          </button>
          <Loudness call={call} />
          <button
            type="button"
            className="button"
            disabled={phase !== "open" || !(isSpeaking || isBusy)}
            onClick={call.interrupt}
          >
            <CircleStop size={16} aria-hidden />
            Interrupt
          </button>
          <button type="button" className="button button-danger" onClick={call.end}>
            <PhoneOff size={16} aria-hidden />
            Hang up
          </button>
        </>
      )}
      <span role="status" className="voice-state">
        {phase === "off" ? <TalkNote /> : <StatusBadge status={statusOf(state)} />}
      </span>
      {problem !== null && (
        <p role="alert" className="field-error voice-problem">
          {problem}
        </p>
      )}
    </section>
  );
}

/** The same before there is a session. */
export function TalkBar({ onTalk }: { readonly onTalk: () => void }) {
  return (
    <section className="voice-bar" aria-label="Voice">
      <TalkButton onTalk={onTalk} />
      <span className="voice-state">
        <TalkNote />
      </span>
    </section>
  );
}

function TalkButton({ onTalk }: { readonly onTalk: () => void }) {
  return (
    <button type="button" className="button button-primary" onClick={onTalk}>
      <Phone size={16} aria-hidden />
      Talk
    </button>
  );
}

function TalkNote() {
  return <span className="quiet">This agent listens and speaks.</span>;
}

/** The microphone's loudness as a person moves their lips. */
function Loudness({ call }: { readonly call: VoiceCall }) {
  const loudness = useSyncExternalStore(call.loudness.subscribe, call.loudness.get);
  return (
    <meter className="voice-loudness" aria-label="Microphone" min={0} max={1} value={loudness} />
  );
}

function statusOf({ phase, isSpeaking }: VoiceCallState): string {
  if (phase !== "open") return phase === "starting" ? "connecting" : "reconnecting";
  return isSpeaking ? "speaking" : "listening";
}
