import { PlugZap, Unplug } from "lucide-react";
import { useSyncExternalStore } from "react";

import { usePlayground } from "./playground-context.ts";

/** Cuts the network of this page's session, to see what a reply does then: it goes on. */
export function CutButton() {
  const { network } = usePlayground();
  const { isCut } = useSyncExternalStore(network.subscribe, network.getState);
  return (
    <button
      type="button"
      className="button"
      title="Breaks off the stream of this page, as a lost network does"
      onClick={isCut ? network.restore : network.cut}
    >
      {isCut ? <PlugZap size={16} aria-hidden /> : <Unplug size={16} aria-hidden />}
      <span className="button-words">{isCut ? "Restore the network" : "Cut the network"}</span>
    </button>
  );
}
