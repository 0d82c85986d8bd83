// The session of an AG-UI run that its thread does not take. The session's object names it to the Worker in the extensions
// of a refusal; clients do not get it.
import { refuse, type Refusal, type Result } from "../../protocol/errors.ts";

export type RunPlace =
  /** The run's parent is an older run: the place is a fork with the conversation up to this message. */
  | { readonly type: "fork"; readonly at: string }
  /** In that fork. `is_branch`: it is the run that the fork was made for. */
  | { readonly type: "session"; readonly session_id: string; readonly is_branch: boolean }
  /** The run's parent is unknown here: the place is the one of these forks that knows it, else this session. */
  | { readonly type: "unknown"; readonly session_ids: readonly string[] };

const RUN_PLACE = "run_place";

export function refuseRunHere(place: RunPlace): Result<never> {
  const detail = "the run does not go on from this thread's newest run";
  return refuse("conflict", detail, {
    errors: [{ pointer: "#/parentRunId", detail }],
    extensions: { [RUN_PLACE]: place },
  });
}

/** Null for every other refusal. */
export function runPlaceOf({ extensions }: Refusal): RunPlace | null {
  return (extensions?.[RUN_PLACE] as RunPlace | undefined) ?? null;
}
