// An object that dies before or after one of its transactions, as a machine does.
import { runInDurableObject } from "cloudflare:test";

import { waitUntil } from "../../support/wait-for.ts";
import { pauseMs } from "../sessions/held-session.ts";

export interface Death {
  /** Counts from 1. */
  readonly transaction: number;
  readonly side: "before" | "after";
}

/** Until an abort has been carried out. */
const ABORT_MS = 20;

/**
 * Does the act with an object that dies at that transaction; null for none.
 * @returns the transactions that were begun until all was over, or until it died.
 */
export async function dieAt(
  stub: () => DurableObjectStub,
  act: () => Promise<unknown>,
  death: Death | null,
): Promise<number> {
  const state = { begun: 0, isDead: false };
  const takeOut = await runInDurableObject(stub(), (_, { storage }) => {
    const proto = Object.getPrototypeOf(storage) as DurableObjectStorage;
    const { transactionSync, sync } = proto;
    const guard = (side: Death["side"]): void => {
      if (death?.transaction === state.begun && death.side === side) state.isDead = true;
    };
    proto.transactionSync = function guarded<Value>(this: DurableObjectStorage, run: () => Value) {
      if (this !== storage) return transactionSync.call(this, run) as Value;
      if (state.isDead) throw new Error("the machine has stopped");
      state.begun += 1;
      guard("before");
      if (state.isDead) throw new Error("the machine has stopped");
      const made = transactionSync.call(this, run) as Value;
      guard("after");
      return made;
    };
    proto.sync = function guarded(this: DurableObjectStorage) {
      const isOver = this === storage && state.isDead;
      return isOver ? new Promise<void>(() => undefined) : sync.call(this);
    };
    return () => Object.assign(proto, { transactionSync, sync });
  });
  const done = act().catch(() => undefined);
  if (!death) {
    await done;
  } else {
    const dead = waitUntil(() => (state.isDead ? true : undefined));
    await Promise.race([dead, done]);
    await runInDurableObject(stub(), (_, object) => {
      setTimeout(() => object.abort("the machine is gone"), 0);
    }).catch(() => undefined);
    await pauseMs(ABORT_MS);
  }
  takeOut();
  return state.begun;
}
