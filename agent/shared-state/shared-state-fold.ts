import { JsonPatchSchema } from "../../protocol/shared-state/contract.ts";
import {
  SHARED_STATE,
  SHARED_STATE_UPDATED,
  type SharedStateUpdatedValue,
} from "../../protocol/shared-state/events.ts";
import type { AbilityFold } from "../ability.ts";
import { applyPatch } from "../json/apply-patch.ts";
import { restoredVersion } from "../json/restored-version.ts";
import type { VersionedState } from "./shared-state-access.ts";

/** The shared state: the fold of the log's `shared_state_updated`. */
export const SHARED_STATE_FOLD: AbilityFold<VersionedState> = {
  name: SHARED_STATE,
  initial: { state: {}, version: 0 },
  reads: ["CUSTOM"],
  /** @throws {Error} when a patch of the log does not fit the state: it was checked before it was appended. */
  advance(before, event) {
    if (event.type !== "CUSTOM" || event.name !== SHARED_STATE_UPDATED) return before;
    const { patch, version } = event.value as unknown as SharedStateUpdatedValue;
    const changed = applyPatch(before.state, patch);
    if (!changed.ok) throw new Error(`a change of the state does not fit it: ${changed.detail}`);
    return { state: changed.state, version };
  },
  /**
   * A copied or imported state becomes version 1 of the new session; null for one that was never set or is not valid.
   */
  adopt(snapshot, agent) {
    const { state, version } = (snapshot ?? {}) as { state?: unknown; version?: unknown };
    if (version === 0) return null;
    const replaced = JsonPatchSchema.safeParse([{ op: "replace", path: "", value: state }]);
    const schema = agent?.shared_state?.schema ?? null;
    const adopted = replaced.success && applyPatch({}, replaced.data, schema);
    return adopted && adopted.ok ? { state: adopted.state, version: 1 } : null;
  },
  restore: restoredVersion,
};
