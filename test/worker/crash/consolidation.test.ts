/** @module-tag broad */
// A machine that dies at each durable write of a consolidation: no memory is lost or taken twice, the job ends, and its usage is one
// row.
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";

import { memoryObjectName } from "../../../durable-objects/api/memory-api.ts";
import type { MemoryConsolidation } from "../../../protocol/memory/consolidation.ts";
import { walk } from "../../support/breadth.ts";
import { hearLog } from "../../support/hear-log.ts";
import { waitFor } from "../../support/wait-for.ts";
import { begin, inStore, readJob, tell, wake, type Desk } from "../memory/consolidating.ts";
import { contentsOf, memoryDesk } from "../memory/memory-desk.ts";
import { abortObject } from "./failpoint.ts";

const TEA = "The customer drinks green tea in the morning.";
const MORNING = "In the morning the customer wants green tea.";
const ONE_TEA = "The customer drinks green tea in the morning, always.";
const ASKED = { instructions: `/merge ${TEA} | ${MORNING} => ${ONE_TEA}` };
/** Writes of a consolidation of one batch, and some more. */
const WRITES = Array.from({ length: 12 }, (_, index) => index + 1);

/** From this write on nothing goes on. Resolves when it has come to that, or the job has ended before. */
async function dieAt(desk: Desk, write: number): Promise<void> {
  const stub = env.MEMORY.getByName(memoryObjectName(desk.tenant_id, desk.store.id));
  // A look rather than a promise, whose waiter would go on in the object's context.
  const seen = { isReached: false, isOver: false };
  await runInDurableObject(stub, (_, { storage }) => {
    const sync = storage.sync.bind(storage);
    let count = 0;
    storage.sync = () => {
      count += 1;
      if (count < write) return sync();
      seen.isReached = true;
      return new Promise(() => undefined);
    };
  });
  const begun = begin(desk, ASKED, { "Idempotency-Key": "once" }).catch(() => undefined);
  void begun.then(async (answer) => {
    if (!answer || seen.isReached) return;
    await waitFor(async () => {
      if (seen.isReached) return;
      expect((await readJob(desk, answer.json)).ended_at).not.toBe(null);
    });
    seen.isOver = true;
  });
  await waitFor(() => expect(seen.isReached || seen.isOver).toBe(true));
  await abortObject(stub as never);
}

test.each(walk(WRITES))("the machine dies at write %i", async (write) => {
  hearLog();
  const desk = await memoryDesk();
  await tell(desk, [TEA, MORNING]);

  await dieAt(desk, write);
  const open = await inStore(desk, (sql) =>
    sql.exec("SELECT consolidation_id AS id FROM consolidations").toArray(),
  );
  const { json: again } = open.length === 0 ? await begin(desk, ASKED) : { json: open[0] };
  const job = again as Pick<MemoryConsolidation, "id">;
  await waitFor(async () => {
    await wake(desk);
    expect((await readJob(desk, job)).ended_at).not.toBe(null);
  });
  await wake(desk);

  expect(await readJob(desk, job)).toMatchObject({
    status: "completed",
    written: 1,
    superseded: 1,
  });
  expect(contentsOf(await desk.list())).toEqual([ONE_TEA]);
  expect((await desk.versions()).map(({ operation }) => operation)).toEqual([
    "consolidated",
    "recorded",
    "recorded",
  ]);
  const rows = await env.DB.prepare("SELECT reply_id FROM usage WHERE tenant_id = ?")
    .bind(desk.tenant_id)
    .all();
  expect(rows.results).toEqual([{ reply_id: job.id }]);
});
