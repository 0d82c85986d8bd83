// Usage of the model calls of consolidations, as D1 is told it.
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";

import { hearLog } from "../../support/hear-log.ts";
import { consolidate, inStore, tell, wake } from "./consolidating.ts";
import { memoryDesk } from "./memory-desk.ts";

const TEA = "The customer drinks green tea in the morning.";
const MORNING = "In the morning the customer wants green tea.";
const UNTOLD = "memory: the usage of a consolidation could not be stored; it will";

test("the usage of a consolidation is told once D1 takes it, whatever was written meanwhile", async () => {
  const log = hearLog();
  const desk = await memoryDesk();
  await tell(desk, [TEA, MORNING]);
  await env.DB.exec(
    `CREATE TRIGGER no_usage BEFORE INSERT ON usage WHEN NEW.tenant_id = '${desk.tenant_id}' BEGIN SELECT RAISE(ABORT, 'no'); END`,
  );
  const job = await consolidate(desk);
  // Behind the choice and the write of each class of memories.
  await expect.poll(() => log.filter((words) => words === UNTOLD).length).toBe(4);
  await env.DB.exec("DROP TRIGGER no_usage");

  await desk.write("The customer has a dog.");
  const kinds = await inStore(desk, (sql) => sql.exec("SELECT kind FROM timers").toArray());
  await wake(desk);

  expect(kinds).toEqual([{ kind: "usage" }]);
  const rows = await env.DB.prepare("SELECT reply_id FROM usage WHERE tenant_id = ?")
    .bind(desk.tenant_id)
    .all();
  expect(rows.results).toEqual([{ reply_id: job.id }]);
  const left = await inStore(desk, (sql) => sql.exec("SELECT kind FROM timers").toArray());
  expect(left).toEqual([]);
});
