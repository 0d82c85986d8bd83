import { useEffect, useMemo, useSyncExternalStore } from "react";

import type { SessionStore } from "../../../../sdk/react/index.ts";
import { VoiceCall } from "./voice-call.ts";

/** The voice of this page's session, which ends with the page; null without a session. */
export function useVoiceCall({ session }: SessionStore): VoiceCall | null {
  const call = useMemo(() => session && new VoiceCall(session), [session]);
  useEffect(() => call?.end, [call]);
  return call;
}

/** Whether one talks. */
export function useIsTalking(call: VoiceCall | null): boolean {
  const isTalking = () => call !== null && call.getState().phase !== "off";
  return useSyncExternalStore(call?.subscribe ?? neverChanging, isTalking);
}

function neverChanging(): () => void {
  return () => undefined;
}
