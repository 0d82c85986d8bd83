import { useEffect, useState } from "react";

import { PlanView } from "../../../components/plan/plan-view.tsx";
import { usePlayground } from "../playground-context.ts";

/** The plan that the agent follows, read anew with each change that the stream tells of. */
export function PlanPanel() {
  const { sessionId, store } = usePlayground();
  const [changes, setChanges] = useState(0);
  useEffect(
    () =>
      store.onEvent((event) => {
        if (event.type === "CUSTOM" && event.name === "state_updated") setChanges((n) => n + 1);
      }),
    [store],
  );
  return (
    <div className="panel-content">
      <PlanView sessionId={sessionId} cursor={changes} />
    </div>
  );
}
