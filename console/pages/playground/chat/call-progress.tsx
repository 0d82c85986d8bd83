import { describeProgress } from "../../../../sdk/index.ts";
import { useSessionValue } from "../../../../sdk/react/index.ts";
import { usePlayground } from "../playground-context.ts";

/** Last words of a call that runs. */
export function CallProgress({ callId }: { readonly callId: string }) {
  const { store } = usePlayground();
  const said = useSessionValue(store, ({ progress }) => progress.get(callId) ?? null);
  if (!said) return null;
  const { progress, total } = said;
  return (
    <div role="status" className="call-progress">
      {progress !== null && total !== null && total > 0 && (
        <progress value={Math.min(Math.max(progress, 0), total)} max={total} aria-hidden />
      )}
      <p className="quiet">{describeProgress(said)}</p>
    </div>
  );
}
