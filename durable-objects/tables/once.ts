// A request with an Idempotency-Key acts once, even if its response is lost.
import { refuse, type Result } from "../../protocol/errors.ts";
import type { IdempotencyTable } from "./idempotency-table.ts";
import type { Idempotency, Once } from "../api/session-api.ts";

/** Records what a replay builds its answer from. Called in the transaction of the act. */
export type RecordResult<Kept> = (kept: Kept) => void;

export interface OnceAct<Kept, Value> {
  readonly act: (recordResult: RecordResult<Kept>) => Promise<Result<Value>>;
  /** The answer of a repeated request. States of replies in it are the current ones. */
  readonly replay: (kept: Kept) => Promise<Result<Value>>;
}

/** A refusal records nothing, so the same request may succeed later. Without a key every request acts. */
export async function once<Kept, Value>(
  keys: IdempotencyTable,
  idempotency: Idempotency | undefined,
  { act, replay }: OnceAct<Kept, Value>,
): Promise<Once<Value>> {
  if (!idempotency) return act(() => undefined);
  const { key, former_key, fingerprint } = idempotency;
  const other = keys.underWay(key);
  if (other !== null) return other === fingerprint ? IN_FLIGHT : REUSED;
  if (former_key !== undefined) {
    if (keys.underWay(former_key) === fingerprint) return IN_FLIGHT;
    const former = keys.find(former_key, Date.now());
    if (former?.fingerprint === fingerprint) {
      return { ...(await replay(former.answer as Kept)), is_replayed: true };
    }
  }
  const kept = keys.find(key, Date.now());
  if (kept && kept.fingerprint !== fingerprint) return REUSED;
  if (kept) return { ...(await replay(kept.answer as Kept)), is_replayed: true };
  keys.begin(idempotency);
  try {
    return await act((answer) => keys.put(idempotency, answer, Date.now()));
  } finally {
    keys.end(key);
  }
}

const IN_FLIGHT = refuse(
  "idempotency_in_flight",
  "a request with this Idempotency-Key is under way; ask again soon",
);
const REUSED = refuse(
  "idempotency_key_reused",
  "this Idempotency-Key came with another request, or with a credential of other rights; take a new one",
);
