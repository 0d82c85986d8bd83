import { onlineManager } from "@tanstack/react-query";
import { WifiOff } from "lucide-react";
import { useSyncExternalStore } from "react";

/** Says that the network is away, and that nothing is lost by it. */
export function OfflineNotice() {
  const isOnline = useSyncExternalStore(
    (listener) => onlineManager.subscribe(listener),
    () => onlineManager.isOnline(),
  );
  return (
    <div role="status" className="offline-notice-place">
      {!isOnline && (
        <p className="offline-notice">
          <WifiOff size={16} aria-hidden />
          You are offline. What is shown may be out of date; it goes on when the network is back.
        </p>
      )}
    </div>
  );
}
