import { useEffect, useMemo, useSyncExternalStore } from "react";

import type { SessionStore } from "../../../../sdk/react/index.ts";
import { VoiceCall } from "./voice-call.ts";

/** The voice of this page's session, which ends with the page; null without a session. */
export function useVoiceCall(store: SessionStore): VoiceCall | null {
  const { session } = store;
  const call = useMemo(() => {
    // A failure is shown at the message, which can be sent again there.
    const sendText = (id: string, text: string) =>
      void store.send({ id, text }).catch(() => undefined);
    return session && new VoiceCall(session, sendText);
  }, [store, session]);
  useEffect(() => call?.end, [call]);
  useEffect(() => call?.note && store.onEvent(call.note), [store, call]);
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
